import { isDeepStrictEqual } from 'node:util'
import {
  expectExactly,
  expectObject,
  expectStatus,
  expectSuccess,
  expectThat,
  expectUnchanged,
  failure,
} from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import type { Draft, Rule } from '../../model/rule.ts'
import { type MalformedRequest, malformed } from '../../session/malformed-requests.ts'
import { toJson } from '../../session/plugin.ts'
import {
  asHttp10,
  chunked,
  expectClosed,
  expectNoBody,
  get,
  inTwoChunks,
  lastOne,
  post,
  responseTo,
  untilClosed,
  whileStalled,
  withBody,
} from '../../session/raw-request.ts'
import { brokenBodies, withoutDirection } from '../../session/rejected-bodies.ts'
import { rulesIn } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { expectLogins } from './4-2-add-rule.ts'
import { anyResponse, checks, exclusive, ownServer, reading, serverChecks, writing } from './scopes.ts'

/**
 * Several requests on one connection get these statuses until the server closes it. If they are sent together, it must
 * announce that, since the client cannot know which of them had an effect.
 */
async function expectStatuses({ raw }: Session, bytes: Buffer | readonly Buffer[], expected: readonly number[]) {
  const result = await raw({ bytes, responses: expected.length })
  const statuses = result.responses.map(({ status }) => status)
  const saidClose = Buffer.isBuffer(bytes) ? result.saidClose : result.end === 'closed'
  const wanted = untilClosed({ ...result, saidClose }, expected)
  const place = wanted.findIndex((status, at) => status !== statuses[at])
  const request = Buffer.isBuffer(bytes) ? '' : ` (${`${bytes[place]}`.split(' HTTP/', 1)})`
  const which = `${place + 1} of ${expected.length} on one connection${request}`
  const sides = { expected: wanted, actual: statuses, difference: [wanted, statuses] }
  expectThat(isDeepStrictEqual(statuses, wanted), 'responses.status-wrong', { ...sides, which })
  return result.responses
}

/** Requests to which a server can respond without reading their body. All but OPTIONS are rejected. */
const withUnusedBody = [
  { method: 'POST', path: '/api/rules', key: 'not-the-key' },
  ...['GET', 'POST', 'DELETE'].map((method) => ({ method, path: '/api/unknown' })),
  { method: 'DELETE', path: '/api/rules/999999' },
  { method: 'OPTIONS', path: '/api/rules' },
  ...['PUT', 'PATCH', 'COPY'].map((method) => ({ method, path: '/api/rules' })),
  ...['/api/status', '/api/rules/x', '/unknown'].map((path) => ({ method: 'POST', path })),
]

/** HTTP (RFC 9110, 9112): connections, chunked bodies, concurrent requests. */
export const connectionChecks = [
  ...checks({ ...reading, tolerates: ['end of connection'] }, 'plugin.http.keep-alive', {
    'CT-951 Three requests on one connection, the second to an unknown path, return 200, 404 and 200': async (
      session,
    ) => {
      const requests = ['/api/status', '/api/unknown', '/api/rules'].map((path) => get(session, path))
      await expectStatuses(session, requests, [200, 404, 200])
    },
    'CT-9997 GET returns its body after HEAD on the same connection': async (session) => {
      for (const path of ['/api/status', '/api/rules']) {
        // Whether HEAD is allowed is a question. A server may also close the connection.
        const { responses } = await session.raw({ bytes: get(session, path, lastOne, 'HEAD'), responses: 1 })
        const status = responses[0]?.status ?? 405
        const bytes = [get(session, path, [], 'HEAD'), get(session, path)]
        const [, response] = await expectStatuses(session, bytes, [status, 200])
        // The server may close the connection after the first response.
        if (response !== undefined) await after(`HEAD ${path}`, () => expectObject(response))
      }
    },
  }),
  ...checks({ ...writing, tolerates: ['no effect', 'end of connection'] }, 'plugin.http.keep-alive', {
    'CT-952 Requests on one connection get the correct response after a wrong body, index, key or method': async (
      session,
    ) => {
      const { draft } = session.rules
      const [first, second] = [draft(), draft()]
      const requests = [
        post(session, toJson(withoutDirection(draft()))),
        post(session, toJson(first)),
        get(session, '/api/rules/999999', [], 'DELETE'),
        post({ ...session, key: 'not-the-key' }, toJson(draft())),
        get(session, '/api/status'),
        withBody(session, ['PUT', '/api/status'], '{}', ['Content-Type: application/json', 'Content-Length: 2']),
        post(session, toJson(second)),
        get(session, '/api/rules'),
      ]
      const responses = await expectStatuses(session, requests, [400, 201, 404, 401, 200, 405, 201, 200])
      const created = responses.filter(({ status }) => status === 201)
      for (const [at, response] of created.entries()) {
        expectSuccess(response)
        expectLogins(response, at === 0 ? first : second)
      }
      for (const body of brokenBodies) {
        const rule = draft()
        const bytes = [post(session, body), post(session, toJson(rule)), get(session, '/api/rules')]
        const [, , list] = await expectStatuses(session, bytes, [400, 201, 200])
        // The server may close the connection after any response.
        if (list !== undefined) session.rules.find(rulesIn(list), rule)
      }
    },
  }),
  ...checks({ ...writing, tolerates: ['end of connection'] }, 'plugin.http.keep-alive', {
    'CT-992 The body of OPTIONS or a rejected request is not taken for the next request on the connection': async (
      session,
    ) => {
      const body = get(session, '/api/rules').toString()
      for (const { method, path, ...key } of withUnusedBody) {
        const to = { ...session, ...key }
        const sent = {
          'a body': withBody(to, [method, path], body),
          'a chunked body': withBody(to, [method, path], inTwoChunks(body), chunked),
        }
        for (const [what, request] of Object.entries(sent)) {
          const bytes = [request, get(session, '/api/status')]
          const [, response] = (await session.raw({ bytes, responses: bytes.length })).responses
          // The server may close the connection after the first response.
          if (response === undefined) continue
          await after(`${method} ${path} with ${what}`, () => {
            const isStatus = 'plugin' in expectObject(response)
            expectThat(isStatus, 'response.not-of-its-request', { difference: null, response })
          })
        }
      }
    },
  }),
  ...checks({ ...reading, tolerates: ['rejection', 'end of connection'] }, 'plugin.http.response-end', {
    'CT-993 The response to HEAD has no body': async (session) => {
      for (const path of ['/api/status', '/api/rules', '/api/unknown']) {
        await expectNoBody(`HEAD ${path}`, session, get(session, path, lastOne, 'HEAD'))
      }
    },
    'CT-994 The connection is closed after the response to a request with Connection: close or HTTP/1.0': async (
      session,
    ) => {
      await expectClosed('GET with HTTP/1.0', session, asHttp10(get(session, '/api/status')))
      for (const path of ['/api/status', '/api/unknown']) {
        await expectClosed(`GET ${path}`, session, get(session, path, lastOne))
      }
      const both = [get(session, '/api/status'), get(session, '/api/status', lastOne)]
      await expectClosed('a second GET on the connection', session, ...both)
      // Neither names nor connection options have a case (RFC 9110, sections 5.1 and 7.6.1).
      await expectClosed('GET with connection: Close', session, get(session, '/api/status', ['connection: Close']))
    },
  }),
  ...checks(reading, 'plugin.robust.overlapping-requests', {
    'CT-954 Twenty simultaneous GET requests for the status and the list each get the correct response': async (
      session,
    ) => {
      const { plugin, rules } = session
      const before = await rules.read()
      const both = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? plugin.status : plugin.list))
      const responses = await Promise.all(both.map((request) => request()))
      for (const [i, response] of responses.entries()) {
        const body = expectObject(response)
        const isRight = i % 2 === 0 ? 'plugin' in body : body.total === before.length
        expectThat(isRight, 'response.not-of-its-request', { difference: null, response })
      }
    },
  }),
  ...checks(writing, 'plugin.robust.overlapping-requests', {
    'CT-955 Six simultaneous POSTs each return 201, and each rule is listed exactly once': async (session) => {
      const { plugin, rules } = session
      const drafts = Array.from({ length: 6 }, () => rules.draft())
      const responses = await Promise.all(drafts.map((draft) => plugin.add(draft)))
      for (const response of responses) expectStatus(response, 201)
      const list = await rules.read()
      for (const draft of drafts) rules.find(list, draft)
    },
  }),
]

async function readOnNewConnection(session: Pick<Session, 'raw' | 'address' | 'key'>): Promise<readonly Rule[]> {
  const response = await responseTo(session, get(session, '/api/rules', lastOne))
  if (response !== undefined) return rulesIn(response)
  throw failure('response.missing-on-new-connection', { difference: null })
}

/** After each malformed request, the list is unchanged on a new connection. After the last one, a rule can still be added. */
async function expectWithstood(session: Session, requests: readonly MalformedRequest[], rule: Partial<Draft>) {
  const { plugin, rules, raw } = session
  const before = await rules.read()
  for (const { name, bytes } of requests) {
    // Any response to such bytes is allowed, or none.
    await raw({ bytes: bytes(session, toJson(rule)), responses: 1, endAfter: true })
    await after(name, async () => expectUnchanged(await readOnNewConnection(session), before))
  }
  expectStatus(await plugin.add(rules.draft()), 201)
}

/** The first bytes of forty requests that are never completed: most of them end in the head, the others in the body. */
function incompleteRequests(to: Session): readonly Buffer[] {
  const heads = [Buffer.from('GET /api/st'), get(to, '/api/status').subarray(0, -2)]
  const both = [...heads, post(to, '{', ['Content-Length: 100']), post(to, '5\r\n{"mas', chunked)]
  return [...both, ...both, ...Array.from({ length: 16 }, () => heads).flat()]
}

/** Split, pipelined and malformed HTTP. Requests that could crash a server have the risk `exclusive`. */
export const malformedHttpChecks = [
  ...checks(reading, 'plugin.http.keep-alive', {
    'CT-973 Three pipelined GET requests get their responses in order': async (session) => {
      const requests = ['/api/status', '/api/unknown', '/api/rules'].map((path) => get(session, path))
      const [status, , list] = await expectStatuses(session, Buffer.concat(requests), [200, 404, 200])
      if (status !== undefined && status.text === list?.text) {
        throw failure('response.shared-by-two-requests', { difference: null, response: status })
      }
    },
  }),
  ...checks(writing, 'plugin.http.pipelined-change', {
    'CT-979 GET /api/rules that is pipelined after a POST lists the new rule': async (session) => {
      const draft = session.rules.draft()
      const requests = [post(session, toJson(draft)), get(session, '/api/rules')]
      const [, list] = await expectStatuses(session, Buffer.concat(requests), [201, 200])
      if (list !== undefined) session.rules.find(rulesIn(list), draft)
    },
  }),
  ...checks({ ...exclusive, tolerates: anyResponse }, 'plugin.robust.survives', {
    'CT-974 Malformed lengths, chunks, headers, request lines and other bytes add nothing, and later requests succeed':
      async (session) => {
        const { rules } = session
        // If the length is malformed, not even a complete rule is added.
        await expectWithstood(session, malformed.lengths, rules.draft())
        const { chunks, headers, requestLines, otherBytes } = malformed
        const others = [...chunks, ...headers, ...requestLines, ...otherBytes]
        await expectWithstood(session, others, withoutDirection(rules.draft()))
      },
  }),
  ...serverChecks(ownServer, 'plugin.robust.answers', {
    'CT-9996 GET of the rules gets its response while another client is connected and sends nothing': async (
      server,
    ) => {
      const before = await server.rules.read()
      await whileStalled(server, [Buffer.alloc(0)], async () =>
        expectUnchanged(await readOnNewConnection(server), before),
      )
    },
  }),
  ...checks({ ...exclusive, tolerates: ['no effect'] }, 'plugin.robust.survives', {
    'CT-978 GET and POST of rules succeed while forty other clients stall in the middle of a request': async (
      session,
    ) => {
      const { plugin, rules } = session
      const addInChunks = async () =>
        (await responseTo(session, post(session, inTwoChunks(toJson(rules.draft())), chunked)))?.status
      // Other checks judge whether chunks are accepted at all.
      const usual = await addInChunks()
      await whileStalled(session, incompleteRequests(session), async () => {
        await readOnNewConnection(session)
        expectStatus(await plugin.add(rules.draft()), 201)
        expectExactly('responses.statuses-wrong', [await addInChunks()], [usual])
      })
      // What the stalled clients occupied is free again.
      await after('the end of the stalled clients', () => readOnNewConnection(session))
    },
  }),
]
