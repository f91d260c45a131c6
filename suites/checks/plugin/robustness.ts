import { setTimeout as pause } from 'node:timers/promises'
import { expectErrorResponse, expectResponse, expectStatus, expectThat, failure } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import { expectKept } from '../../session/list-changes.ts'
import { toJson } from '../../session/plugin.ts'
import {
  chunked,
  expectContinued,
  expectRejectedOrClosed,
  get,
  lastOne,
  post,
  postInChunks,
  responseOrClosed,
  responseTo,
} from '../../session/raw-request.ts'
import { withoutDirection } from '../../session/rejected-bodies.ts'
import { arranged } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { anyResponse, checks, exclusive, judgingResponses, reading, writing } from './scopes.ts'

async function expectServerStillWorks({ plugin, rules }: Session, attack: () => Promise<unknown>): Promise<void> {
  await expectKept(rules, attack)
  expectStatus(await plugin.add(rules.draft()), 201)
}

/** If the connection is closed, the next request shows whether the server still works. */
const sendAnyway = ({ plugin }: Session, body: string | Buffer) => responseOrClosed(plugin.addText(body))

async function expectRejected(session: Session, what: string, body: string): Promise<void> {
  const reject = async () => {
    const response = await sendAnyway(session, body)
    if (response) expectErrorResponse(response)
  }
  await after(`POST of ${what}`, () => expectServerStillWorks(session, reject))
}

/** Each request gets any response, or its connection is closed. Then the server still works. */
const settled = (requestsFor: (session: Session) => Readonly<Record<string, Buffer>>) => async (session: Session) => {
  for (const [what, bytes] of Object.entries(requestsFor(session))) {
    const settle = async () => {
      const { end } = await session.raw({ bytes, responses: 1 })
      expectThat(end !== 'timeout', 'response.missing', { reason: 'it took too long', difference: null })
    }
    await after(`POST with ${what}`, () => expectServerStillWorks(session, settle))
  }
}

/** A client that waits this much longer than usual is blocked by another one. */
const blockedMs = 250

/** How long a response with this status takes on a new connection. */
async function durationOfRead(session: Session, status: 200 | 401 = 200): Promise<number> {
  const start = performance.now()
  const response = await responseTo(session, get(session, '/api/rules', lastOne))
  await arranged(async () => expectResponse(response, status))
  return performance.now() - start
}

/** Whether a request waits until another client, with a wrong key, gets its response. */
async function isBlocked(session: Session): Promise<boolean> {
  const usualMs = await durationOfRead(session)
  // The request with the wrong key is sent first.
  const [, duringMs] = await Promise.all([
    durationOfRead({ ...session, key: 'not-the-key' }, 401),
    pause(20).then(() => durationOfRead(session)),
  ])
  return duringMs > 4 * usualMs + blockedMs
}

const exclusiveResponses = { ...exclusive, tolerates: ['no effect'] } as const

/** What any server should withstand. Requests that could crash a server have the risk `exclusive`. */
export const robustnessChecks = [
  ...checks(exclusiveResponses, 'plugin.robust.survives', {
    'CT-961 POST of 10,000 nested levels, 2 MiB, a 300-digit number or a rule with 64 KiB of other text is rejected':
      async (session) => {
        const depth = 10_000
        const large = { ...withoutDirection(session.rules.draft()), mode: 'x'.repeat(2 * 1024 * 1024) }
        await expectRejected(session, 'nested arrays', '['.repeat(depth) + ']'.repeat(depth))
        await expectRejected(session, 'nested objects', '{"a":'.repeat(depth) + 1 + '}'.repeat(depth))
        await expectRejected(session, 'a long text', toJson(large))
        await expectRejected(session, 'a number of 300 digits', `{"value":${'9'.repeat(300)}}`)
        const rule = toJson(session.rules.draft())
        await expectRejected(session, 'a rule and 64 KiB of other text', rule.padEnd(rule.length + 2 ** 16, 'x'))
      },
    'CT-969 GET of an 8,000-character path is rejected, and later requests succeed': async (session) => {
      const bytes = get(session, `/api/${'x'.repeat(8000)}`, lastOne)
      await expectServerStillWorks(session, () => expectRejectedOrClosed(session, bytes))
    },
  }),
  ...checks({ ...exclusive, tolerates: anyResponse }, 'plugin.robust.survives', {
    'CT-976 Connections that are reset before all responses have been read do not stop the server': async (session) => {
      const bytes = Buffer.concat(Array.from({ length: 200 }, () => get(session, '/api/rules')))
      await expectServerStillWorks(session, async () => {
        for (let client = 0; client < 5; client += 1) await session.raw({ bytes, responses: 1, reset: true })
      })
    },
  }),
  ...checks(judgingResponses, 'plugin.robust.prototype-member', {
    'CT-962 POST with direction only in __proto__ or constructor is rejected, as is the next POST without direction':
      async (session) => {
        const json = toJson(withoutDirection(session.rules.draft())).slice(0, -1)
        for (const tail of ['"__proto__":{"direction":"same"}', '"constructor":{"prototype":{"direction":"same"}}']) {
          await expectServerStillWorks(session, async () => {
            const response = await sendAnyway(session, `${json},${tail}}`)
            await after(`POST with ${tail}`, () => response && expectErrorResponse(response))
            const next = await sendAnyway(session, `${json}}`)
            await after(`the POST behind one with ${tail}`, () => next && expectStatus(next, 400))
          })
        }
      },
  }),
  ...checks(judgingResponses, 'plugin.robust.survives', {
    'CT-964 POST with invalid UTF-8 is rejected and adds nothing, and later requests succeed': async (session) => {
      const json = Buffer.from(toJson(withoutDirection(session.rules.draft())).slice(0, -1))
      // A server may ignore invalid bytes (a question). Without them the bodies are invalid too.
      const tails = [',"direction":"sam\xff\xfe"}', ',\xc3"direction":"\xc0\xaf"}', '\xed\xa0\x80}']
      const bodies = tails.map((tail) => Buffer.concat([json, Buffer.from(tail, 'latin1')]))
      for (const body of [...bodies, Buffer.from('{"master":"\xff"}', 'latin1')]) {
        await expectServerStillWorks(session, async () => {
          const response = await sendAnyway(session, body)
          if (response === null) return
          expectErrorResponse(response)
          expectThat(response.json !== undefined, 'body.not-json', { difference: response.status, response })
        })
      }
    },
    'CT-966 POST that ends before its Content-Length or its last chunk adds nothing, and later requests succeed':
      async (session) => {
        const json = toJson(session.rules.draft())
        const lengths = [1, 1000].map((more) => post(session, json, [`Content-Length: ${json.length + more}`]))
        for (const bytes of [...lengths, postInChunks(session, [json]).subarray(0, -'0\r\n\r\n'.length)]) {
          await expectServerStillWorks(session, () => session.raw({ bytes, responses: 1, endAfter: true }))
        }
      },
  }),
  ...checks(judgingResponses, 'plugin.robust.answers', {
    'CT-980 POST without a body gets a response or a closed connection in time, and later requests succeed': settled(
      (to) => ({
        'neither a body nor its length': post(to, '', []),
        'a chunked body without chunks': post(to, '0\r\n\r\n', chunked),
      }),
    ),
  }),
  ...checks(writing, 'plugin.robust.answers', {
    'CT-997 POST with Expect: 100-continue gets a response in time before its body is sent': async (session) => {
      await expectContinued(session, post(session, '', ['Content-Length: 100', 'Expect: 100-continue']))
    },
  }),
  ...checks(exclusiveResponses, 'plugin.robust.answers', {
    'CT-995 POST of 64 KiB or more gets a response or a closed connection in time, and later requests succeed': settled(
      (to) => ({ '65536 bytes': post(to, 'x'.repeat(2 ** 16)), '100000 bytes': post(to, 'x'.repeat(100_000)) }),
    ),
  }),
  ...checks({ ...reading, alone: true }, 'plugin.robust.answers', {
    'CT-996 GET gets its response at once while another client with a wrong key waits for its own': async (session) => {
      // A single result could be by chance.
      for (let attempt = 0; attempt < 3; attempt += 1) if (!(await isBlocked(session))) return
      throw failure('response.held-up', { reason: `no response for ${blockedMs} ms`, difference: null })
    },
  }),
]
