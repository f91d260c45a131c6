import { after } from '../../assertions/after.ts'
import { expectExactly, expectObject, expectResponse, expectStatus, expectThat } from '../../assertions/expect.ts'
import type { HttpResponse } from '../../client/response.ts'
import { type Check, checks } from '../../session/check.ts'
import { toJson } from '../../session/plugin.ts'
import {
  chunked,
  get,
  inTwoChunks,
  lastOne,
  post,
  responseTo,
  untilClosed,
  withBody,
} from '../../session/raw-request.ts'
import { withoutDirection } from '../../session/rejected-bodies.ts'
import type { Session } from '../../session/session.ts'
import { judgingResponses, reading, writing } from './scopes.ts'

/** Several requests on one connection get responses with these statuses, unless the server says that it closes it. */
export async function expectStatuses(
  { raw }: Session,
  bytes: Buffer | readonly Buffer[],
  expected: readonly number[],
): Promise<readonly HttpResponse[]> {
  const result = await raw({ bytes, responses: expected.length })
  const statuses = result.responses.map(({ status }) => status)
  expectExactly('responses.statuses-wrong', statuses, untilClosed(result, expected))
  return result.responses
}

/** Requests that are rejected whatever their body holds. */
const rejected = [
  { method: 'POST', path: '/api/rules', key: 'not-the-key' },
  ...['GET', 'POST', 'DELETE'].map((method) => ({ method, path: '/api/unknown' })),
  ...['PUT', 'PATCH', 'COPY'].map((method) => ({ method, path: '/api/rules' })),
]

/** Interim responses, the head of the final one, and what comes behind it. */
const responseToHead = /^(?:HTTP\/1\.\d 1\d\d.*?\r\n\r\n)*.*?\r\n\r\n(.*)$/s

/** Sends a request that ends the connection, and reads until the server closes it. */
function untilItCloses({ raw }: Session, bytes: Buffer) {
  return raw({ bytes, responses: 1, untilClosed: true })
}

/** HTTP (RFC 9110, 9112): connections, bodies in chunks, requests at the same time. */
export const connectionChecks: readonly Check[] = [
  ...checks(reading, 'plugin.http.keep-alive', {
    'CT-951 Three requests on one connection, the second to an unknown path, return 200, 404 and 200': async (
      session,
    ) => {
      const requests = ['/api/status', '/api/unknown', '/api/rules'].map((path) => get(session, path))
      await expectStatuses(session, requests, [200, 404, 200])
    },
  }),
  ...checks(judgingResponses, 'plugin.http.keep-alive', {
    'CT-952 Requests on one connection get the correct status after an invalid body, a wrong key or a wrong method':
      async (session) => {
        const { draft } = session.rules
        const requests = [
          post(session, toJson(withoutDirection(draft()))),
          post(session, toJson(draft())),
          post({ ...session, key: 'not-the-key' }, toJson(draft())),
          get(session, '/api/status'),
          withBody(session, 'PUT', '/api/status', '{}'),
          post(session, toJson(draft())),
          get(session, '/api/rules'),
        ]
        await expectStatuses(session, requests, [400, 201, 401, 200, 405, 201, 200])
      },
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
  ...checks({ ...reading, tolerates: ['rejection', 'end of connection'] }, 'plugin.http.response-end', {
    'CT-993 The response to HEAD has no body': async (session) => {
      for (const path of ['/api/status', '/api/rules', '/api/unknown']) {
        const { bytes } = await untilItCloses(session, get(session, path, lastOne, 'HEAD'))
        const [, body] = responseToHead.exec(bytes.toString()) ?? []
        await after(`HEAD ${path}`, async () => expectExactly('body.in-response-to-head', body ?? '', ''))
      }
    },
    'CT-994 The connection is closed after the response to a request with Connection: close': async (session) => {
      for (const path of ['/api/status', '/api/unknown']) {
        const { end } = await untilItCloses(session, get(session, path, lastOne))
        const isClosed = end === 'closed'
        await after(`GET ${path}`, async () => expectThat(isClosed, 'connection.left-open', { difference: null }))
      }
    },
  }),
  ...checks(writing, 'plugin.http.any-framing', {
    'CT-953 POST with a chunked body is accepted, and the rule is listed': async (session) => {
      const { rules } = session
      const draft = rules.draft()
      expectResponse(await responseTo(session, post(session, inTwoChunks(toJson(draft)), chunked)), 201)
      rules.find(await rules.read(), draft)
    },
  }),
  ...checks(reading, 'plugin.http.any-framing', {
    'CT-998 GET with twenty other headers of 100 bytes in front of the key returns 200': async (session) => {
      const others = Array.from({ length: 20 }, (_, at) => `X-${at}: ${'x'.repeat(95)}\r\n`)
      const request = get(session, '/api/status').toString()
      const bytes = Buffer.from(request.replace('X-API-Key', `${others.join('')}X-API-Key`))
      expectResponse(await responseTo(session, bytes), 200)
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
