import { expectErrorResponse, expectStatus, expectUnchanged } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import type { Method } from '../../client/request.ts'
import { expectAllow } from '../../session/allow.ts'
import { expectKept } from '../../session/list-changes.ts'
import { toJson } from '../../session/plugin.ts'
import { expectRejectedOrClosed, get, lastOne, responseTo, withBody } from '../../session/raw-request.ts'
import { rulesOrNull } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { judgeEach, sendOnce } from '../../session/shared-requests.ts'
import { checks, exclusive, reading, writing } from './scopes.ts'

/** Each path returns 404, and the list stays unchanged, also after `more`. */
function expectUnknown(
  { plugin, rules }: Session,
  method: Method,
  paths: readonly string[],
  more?: () => Promise<void>,
): Promise<void> {
  const body = method === 'POST' ? { body: '{}' } : {}
  return expectKept(rules, async () => {
    for (const path of paths) expectStatus(await plugin.send({ method, path, ...body }), 404)
    await more?.()
  })
}

async function expectNotAllowed({ plugin, rules }: Session, path: string, methods: readonly Method[]): Promise<void> {
  const before = await rules.read()
  for (const method of methods) {
    const withBody = method !== 'GET' && method !== 'DELETE'
    const body = withBody ? { body: JSON.stringify(rules.draft()) } : {}
    expectStatus(await plugin.send({ method, path, ...body }), 405)
    expectUnchanged(await rules.read(), before)
  }
}

const undocumented = [
  ...['/api/unknown', '/api/rule', '/api/statuses', '/api/rules.json', '/api/api/rules', '/api/status/x'],
  '/api/v1/rules',
]

/** A server may serve something else there. Only `plugin.path.root`, which is not required, expects 404. */
const outside = ['/rules', '/apis/rules', '/ap/rules', '/xapi/rules', '/x/api/rules', '/v1/api/rules', '/v1/rules']

const readsOutside = (session: Session) =>
  sendOnce(session, 'reads outside', false, () => outside.map((path) => ({ method: 'GET', path })))

/** The documented methods of each path, and one method that is not allowed there. */
const allowed = [
  { path: '/api/status', method: 'POST', documented: ['GET'] },
  { path: '/api/rules', method: 'PUT', documented: ['GET', 'POST'] },
  { path: '/api/rules/<index>', method: 'PUT', documented: ['DELETE'] },
] as const

/** Clauses 7 and 9: unknown endpoints and methods. */
export const pathAndMethodChecks = [
  ...checks(reading, 'plugin.path.unknown', {
    'CT-801 GET of an undocumented path returns 404 below /api/, and shows no rules elsewhere': async (session) => {
      await expectUnknown(session, 'GET', undocumented)
      await judgeEach(readsOutside(session), async ({ request, response }) => {
        const isList = (rulesOrNull(response) ?? []).length > 0
        if (isList) await after(`GET ${request.path}`, () => expectStatus(response, 404))
      })
    },
    // A server or a proxy may also reject the NUL or close the connection.
    'CT-806 GET of a documented path that is followed by a NUL is rejected': (session) =>
      expectRejectedOrClosed(session, get(session, '/api/rules%00x')),
  }),
  ...checks(reading, 'plugin.path.root', {
    'CT-802 GET of /api, / and other paths outside of /api/ returns 404': (session) =>
      expectUnknown(session, 'GET', ['/api', '/', '/unknown'], () =>
        judgeEach(readsOutside(session), ({ response }) => expectStatus(response, 404)),
      ),
  }),
  ...checks(writing, 'plugin.path.unknown', {
    'CT-803 POST and DELETE of paths below /api/, also below a rule, return 404, and change nothing elsewhere': async (
      session,
    ) => {
      const { plugin, rules } = session
      await expectUnknown(session, 'POST', ['/api/rule', '/api/unknown'])
      const [{ index }] = await rules.arrange(1)
      const belowRule = [`/api/rules/${index}/x`, `/api/rules/${index}/0`, `/api/rules/x/${index}`]
      const similar = [`/api/rule/${index}`, `/api/rules2/${index}`, '/api/unknown']
      await expectUnknown(session, 'DELETE', [...similar, ...belowRule])
      await expectKept(rules, async () => {
        await plugin.send({ method: 'POST', path: '/rules', body: JSON.stringify(rules.draft()) })
        for (const prefix of ['', '/x/api']) await plugin.send({ method: 'DELETE', path: `${prefix}/rules/${index}` })
      })
    },
  }),
  ...checks(writing, 'plugin.method.not-allowed', {
    'CT-811 Other methods on /api/status and PUT and PATCH on /api/rules return 405 and change nothing': async (
      session,
    ) => {
      await expectNotAllowed(session, '/api/status', ['POST', 'PUT', 'PATCH', 'DELETE'])
      await expectNotAllowed(session, '/api/rules', ['PUT', 'PATCH'])
    },
  }),
  ...checks(exclusive, 'plugin.method.not-allowed', {
    // A server that reads it as all rules removes foreign ones.
    'CT-814 DELETE on /api/rules returns 405, or an error if its body has an index, and removes nothing': async (
      session,
    ) => {
      const { plugin, rules } = session
      await expectNotAllowed(session, '/api/rules', ['DELETE'])
      const [{ index }] = await rules.arrange(1)
      await expectKept(rules, async () => {
        const response = await plugin.send({ method: 'DELETE', path: '/api/rules', body: JSON.stringify({ index }) })
        // Whether the method or its body is rejected first is not specified.
        await after('DELETE with an index in the body', () => expectErrorResponse(response))
      })
    },
  }),
  ...checks(exclusive, 'plugin.list.unrequested-change', {
    // A server that compares only the beginning of a method serves both.
    'CT-815 Requests with the methods DELETEX and POSTX change no rule': async (session) => {
      const { rules } = session
      const [{ index }] = await rules.arrange(1)
      const json = toJson(rules.draft())
      const headers = ['Content-Type: application/json', `Content-Length: ${json.length}`, ...lastOne]
      const requests = [
        get(session, `/api/rules/${index}`, lastOne, 'DELETEX'),
        withBody(session, ['POSTX', '/api/rules'], json, headers),
      ]
      for (const bytes of requests) {
        // The server may also close the connection.
        await expectKept(rules, () => responseTo(session, bytes), 'list.changed-unrequested')
      }
    },
  }),
  ...checks(writing, 'plugin.method.rule', {
    'CT-813 GET, PUT, PATCH and POST on /api/rules/{index} return 405 and change nothing': async (session) => {
      const [rule] = await session.rules.arrange(1)
      await expectNotAllowed(session, `/api/rules/${rule.index}`, ['GET', 'PUT', 'PATCH', 'POST'])
    },
  }),
  ...checks(writing, 'plugin.method.allow', {
    'CT-821 A 405 response has an Allow header with the documented methods of the path, not with the rejected one':
      async ({ plugin, rules }) => {
        const [own] = await rules.arrange(1)
        const responses = []
        for (const { path, method, documented } of allowed) {
          const response = await plugin.send({ method, path: path.replace('<index>', `${own.index}`), body: '{}' })
          responses.push({ method, path, documented, response })
        }
        await expectAllow(responses)
      },
  }),
]
