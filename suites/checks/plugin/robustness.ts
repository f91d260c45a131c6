import { after } from '../../assertions/after.ts'
import { expectErrorResponse, expectStatus, expectThat, expectUnchanged } from '../../assertions/expect.ts'
import type { Check } from '../../session/check.ts'
import { toJson } from '../../session/plugin.ts'
import { get, post } from '../../session/raw-request.ts'
import { withoutDirection } from '../../session/rejected-bodies.ts'
import type { Session } from '../../session/session.ts'

/** After the attack the list is unchanged, and a rule can be added. */
async function expectServerStillWorks({ plugin, rules }: Session, attack: () => Promise<unknown>): Promise<void> {
  const before = await rules.read()
  await attack()
  expectUnchanged(await rules.read(), before)
  expectStatus(await plugin.add(rules.draft()), 201)
}

const sendAnyway = async ({ plugin }: Session, body: string | Buffer) => {
  try {
    return await plugin.send({ method: 'POST', path: '/api/rules', body })
  } catch {
    // A closed connection counts as rejected here. The next request shows whether the server still works.
    return null
  }
}

/** The body is rejected, or the connection is closed. Then the server still works. */
async function expectRejected(session: Session, what: string, body: string): Promise<void> {
  await after(`POST of ${what}`, () =>
    expectServerStillWorks(session, async () => {
      const response = await sendAnyway(session, body)
      if (response) expectErrorResponse(response)
    }),
  )
}

/** What any server should withstand. Requests that could stop a server have the risk `exclusive`. */
export const robustnessChecks: readonly Check[] = [
  {
    id: 'CT-961',
    requirement: 'plugin.robust.survives',
    title: 'POST with JSON nested 10,000 levels deep or of 4 MiB is rejected, and later requests succeed',
    risk: 'exclusive',
    tolerates: ['no effect'],
    async run(session) {
      const depth = 10_000
      const large = { ...withoutDirection(session.rules.draft()), mode: 'x'.repeat(4 * 1024 * 1024) }
      await expectRejected(session, 'nested arrays', '['.repeat(depth) + ']'.repeat(depth))
      await expectRejected(session, 'nested objects', '{"a":'.repeat(depth) + 1 + '}'.repeat(depth))
      await expectRejected(session, 'a long text', toJson(large))
    },
  },
  {
    id: 'CT-962',
    requirement: 'plugin.robust.prototype-member',
    title: 'POST with direction only in __proto__ or constructor is rejected, as is the next POST without direction',
    risk: 'write',
    tolerates: ['no effect'],
    async run(session) {
      const json = toJson(withoutDirection(session.rules.draft())).slice(0, -1)
      for (const tail of ['"__proto__":{"direction":"same"}', '"constructor":{"prototype":{"direction":"same"}}']) {
        await expectServerStillWorks(session, async () => {
          const response = await sendAnyway(session, `${json},${tail}}`)
          await after(`POST with ${tail}`, async () => response && expectErrorResponse(response))
          const next = await sendAnyway(session, `${json}}`)
          await after(`the POST behind one with ${tail}`, async () => next && expectStatus(next, 400))
        })
      }
    },
  },
  {
    id: 'CT-964',
    requirement: 'plugin.robust.survives',
    title: 'POST with invalid UTF-8 is rejected and adds nothing, and later requests succeed',
    risk: 'write',
    tolerates: ['no effect'],
    async run(session) {
      const json = Buffer.from(toJson(withoutDirection(session.rules.draft())).slice(0, -1))
      for (const tail of [',"direction":"same\xff\xfe"}', ',\xc3"direction":"\xc0\xaf"}', '\xed\xa0\x80}']) {
        await expectServerStillWorks(session, async () => {
          const response = await sendAnyway(session, Buffer.concat([json, Buffer.from(tail, 'latin1')]))
          if (response === null) return
          expectErrorResponse(response)
          expectThat(response.json !== undefined, 'body.not-json', { difference: response.status, response })
        })
      }
    },
  },
  {
    id: 'CT-966',
    requirement: 'plugin.robust.survives',
    title: 'POST that ends before its Content-Length adds nothing, and later requests succeed',
    risk: 'write',
    tolerates: ['no effect'],
    async run(session) {
      const json = toJson(session.rules.draft())
      for (const promised of [json.length + 1, json.length + 1000]) {
        await expectServerStillWorks(session, () =>
          session.raw({ bytes: post(session, json, [`Content-Length: ${promised}`]), responses: 1, endAfter: true }),
        )
      }
    },
  },
  {
    id: 'CT-969',
    requirement: 'plugin.robust.survives',
    title: 'GET of an 8,000-character path is rejected, and later requests succeed',
    risk: 'exclusive',
    tolerates: ['no effect'],
    async run(session) {
      await expectServerStillWorks(session, async () => {
        const { responses } = await session.raw({
          bytes: get(session, `/api/${'x'.repeat(8000)}`, ['Connection: close']),
          responses: 1,
        })
        for (const response of responses) expectErrorResponse(response)
      })
    },
  },
]
