import { after } from '../../assertions/after.ts'
import { expectExactly, expectFirst, expectObject, expectStatus, expectThat } from '../../assertions/expect.ts'
import { type Check, checks } from '../../session/check.ts'
import { toJson } from '../../session/plugin.ts'
import { get, inTwoChunks, post, untilClosed, withBody } from '../../session/raw-request.ts'
import { withoutDirection } from '../../session/rejected-bodies.ts'
import type { Session } from '../../session/session.ts'
import { judgingResponses, reading, writing } from './scopes.ts'

/** Sends requests on one connection, each after the response to the one before. */
async function expectOnOneConnection(
  raw: Session['raw'],
  requests: readonly { readonly bytes: Buffer; readonly status: number }[],
): Promise<void> {
  const result = await raw({ bytes: requests.map(({ bytes }) => bytes), responses: requests.length })
  const expected = requests.map(({ status }) => status)
  const statuses = result.responses.map(({ status }) => status)
  expectExactly('responses.statuses-wrong', statuses, untilClosed(result, expected))
}

/** Requests that are rejected whatever their body holds. */
const rejected = [
  { method: 'POST', path: '/api/rules', key: 'not-the-key' },
  ...['GET', 'POST', 'DELETE'].map((method) => ({ method, path: '/api/unknown' })),
  ...['PUT', 'PATCH', 'COPY'].map((method) => ({ method, path: '/api/rules' })),
]

/** Interim responses, the head of the final one, and what comes behind it. */
const responseToHead = /^(?:HTTP\/1\.\d 1\d\d.*?\r\n\r\n)*.*?\r\n\r\n(.*)$/s

const closing = ['Connection: close']

/** Sends a request that ends the connection, and reads until the server closes it. */
function untilItCloses({ raw }: Session, bytes: Buffer) {
  return raw({ bytes, responses: 1, untilClosed: true })
}

/** HTTP (RFC 9110, 9112): connections, bodies in chunks, requests at the same time. */
export const connectionChecks: readonly Check[] = [
  ...checks(reading, 'plugin.http.keep-alive', {
    'CT-951 Three requests on one connection, the second to an unknown path, return 200, 404 and 200': (session) =>
      expectOnOneConnection(session.raw, [
        { bytes: get(session, '/api/status'), status: 200 },
        { bytes: get(session, '/api/unknown'), status: 404 },
        { bytes: get(session, '/api/rules'), status: 200 },
      ]),
  }),
  ...checks(judgingResponses, 'plugin.http.keep-alive', {
    'CT-952 Requests on one connection get the correct status after an invalid body, a wrong key or a wrong method': (
      session,
    ) =>
      expectOnOneConnection(session.raw, [
        { bytes: post(session, toJson(withoutDirection(session.rules.draft()))), status: 400 },
        { bytes: post(session, toJson(session.rules.draft())), status: 201 },
        { bytes: post({ ...session, key: 'not-the-key' }, toJson(session.rules.draft())), status: 401 },
        { bytes: get(session, '/api/status'), status: 200 },
        { bytes: withBody(session, 'PUT', '/api/status', '{}'), status: 405 },
        { bytes: post(session, toJson(session.rules.draft())), status: 201 },
        { bytes: get(session, '/api/rules'), status: 200 },
      ]),
  }),
  ...checks({ ...writing, tolerates: ['end of connection'] }, 'plugin.http.keep-alive', {
    'CT-992 The body of a rejected request is not taken for the next request on the connection': async (session) => {
      const body = get(session, '/api/rules').toString()
      for (const { method, path, ...key } of rejected) {
        const bytes = [withBody({ ...session, ...key }, method, path, body), get(session, '/api/status')]
        const [, response] = (await session.raw({ bytes, responses: bytes.length })).responses
        // The connection may end after the first response.
        if (response === undefined) continue
        await after(`${method} ${path} with a body`, async () => {
          const isStatus = 'plugin' in expectObject(response)
          expectThat(isStatus, 'response.not-of-its-request', { difference: null, response })
        })
      }
    },
  }),
  ...checks({ risk: 'read', tolerates: ['rejection', 'end of connection'] }, 'plugin.http.response-end', {
    'CT-993 The response to HEAD has no body': async (session) => {
      for (const path of ['/api/status', '/api/rules', '/api/unknown']) {
        const { bytes } = await untilItCloses(session, get(session, path, closing, 'HEAD'))
        const [, body] = responseToHead.exec(bytes.toString()) ?? []
        await after(`HEAD ${path}`, async () => expectExactly('body.in-response-to-head', body ?? '', ''))
      }
    },
    'CT-994 The connection is closed after the response to a request with Connection: close': async (session) => {
      for (const path of ['/api/status', '/api/unknown']) {
        const { end } = await untilItCloses(session, get(session, path, closing))
        await after(`GET ${path}`, async () =>
          expectThat(end === 'closed', 'connection.left-open', { difference: null }),
        )
      }
    },
  }),
  ...checks(writing, 'plugin.http.any-framing', {
    'CT-953 POST with a chunked body is accepted, and the rule is listed': async (session) => {
      const { raw, rules } = session
      const draft = rules.draft()
      const bytes = post(session, inTwoChunks(toJson(draft)), ['Transfer-Encoding: chunked'])
      const { responses } = await raw({ bytes, responses: 1 })
      expectFirst(responses, 201)
      rules.find(await rules.read(), draft)
    },
  }),
  ...checks(reading, 'plugin.http.any-framing', {
    'CT-998 GET with twenty other headers of 100 bytes in front of the key returns 200': async (session) => {
      const others = Array.from({ length: 20 }, (_, at) => `X-${at}: ${'x'.repeat(95)}\r\n`)
      const request = get(session, '/api/status').toString()
      const bytes = Buffer.from(request.replace('X-API-Key', `${others.join('')}X-API-Key`))
      expectFirst((await session.raw({ bytes, responses: 1 })).responses, 200)
    },
  }),
  ...checks(reading, 'plugin.robust.overlapping-requests', {
    'CT-954 Twenty simultaneous GET requests for the status and the list each get the correct response': async ({
      plugin,
      rules,
    }) => {
      const before = await rules.read()
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? plugin.status() : plugin.list())),
      )
      for (const [i, response] of responses.entries()) {
        const body = expectObject(response)
        const isRight = i % 2 === 0 ? 'plugin' in body : body.total === before.length
        expectThat(isRight, 'response.not-of-its-request', { difference: null, response })
      }
    },
  }),
  ...checks(writing, 'plugin.robust.overlapping-requests', {
    'CT-955 Six simultaneous POSTs each return 201, and each rule is listed exactly once': async ({
      plugin,
      rules,
    }) => {
      const drafts = Array.from({ length: 6 }, () => rules.draft())
      const responses = await Promise.all(drafts.map((draft) => plugin.add(draft)))
      for (const response of responses) expectStatus(response, 201)
      const list = await rules.read()
      for (const draft of drafts) rules.find(list, draft)
    },
  }),
]
