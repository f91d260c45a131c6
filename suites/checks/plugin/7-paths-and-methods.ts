import { expectStatus, expectThat, expectUnchanged } from '../../assertions/expect.ts'
import type { Method } from '../../client/client.ts'
import type { Check } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'

/** Each path returns 404, and the list stays unchanged. */
async function expectUnknown({ plugin, rules }: Session, method: Method, paths: readonly string[]): Promise<void> {
  const before = await rules.read()
  for (const path of paths) {
    expectStatus(await plugin.send({ method, path, ...(method === 'POST' ? { body: '{}' } : {}) }), 404)
  }
  expectUnchanged(await rules.read(), before)
  expectStatus(await plugin.status(), 200)
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

const allowed = [
  { id: 'CT-821', path: '/api/status', method: 'POST', methods: ['GET'] },
  { id: 'CT-822', path: '/api/rules', method: 'PUT', methods: ['GET', 'POST'] },
  { id: 'CT-823', path: '/api/rules/<index>', method: 'PUT', methods: ['DELETE'] },
] as const

const allowChecks = allowed.map(
  ({ id, path, method, methods }): Check => ({
    id,
    requirement: 'plugin.method.allow',
    title: `${method} ${path} returns 405 with an Allow header that lists ${methods.join(' and ')}`,
    risk: 'write',
    async run({ plugin, rules }) {
      const [own] = await rules.arrange(1)
      const response = await plugin.send({ method, path: path.replace('<index>', `${own.index}`), body: '{}' })
      expectStatus(response, 405)
      const listed = (response.headers.allow ?? '').split(',').map((name) => name.trim())
      expectThat(
        methods.every((name) => listed.includes(name)),
        'header.allow-incomplete',
        {
          expected: methods.join(', '),
          actual: response.headers.allow ?? 'no Allow header',
          difference: listed.toSorted(),
          response,
        },
      )
    },
  }),
)

/** Clauses 7 and 9: unknown endpoints and methods. */
export const pathAndMethodChecks: readonly Check[] = [
  {
    id: 'CT-801',
    requirement: 'plugin.path.unknown',
    title: 'GET of an undocumented path returns 404',
    risk: 'read',
    run: (session) =>
      expectUnknown(session, 'GET', [
        '/api/unknown',
        '/api/rule',
        '/api/statuses',
        '/api/rules.json',
        '/unknown',
        '/rules',
        '/apis/rules',
        '/ap/rules',
        '/xapi/status',
        '/x/api/status',
        '/api/api/rules',
        '/api/status/x',
      ]),
  },
  {
    id: 'CT-802',
    requirement: 'plugin.path.root',
    title: 'GET /api and GET / return 404',
    risk: 'read',
    run: (session) => expectUnknown(session, 'GET', ['/api', '/']),
  },
  {
    id: 'CT-803',
    requirement: 'plugin.path.unknown',
    title: 'POST and DELETE of undocumented paths return 404 and change nothing',
    risk: 'write',
    async run(session) {
      await expectUnknown(session, 'POST', ['/api/rule', '/api/unknown', '/rules'])
      const [{ index }] = await session.rules.arrange(1)
      await expectUnknown(session, 'DELETE', [`/api/rule/${index}`, '/api/unknown', `/rules/${index}`])
    },
  },
  {
    id: 'CT-804',
    requirement: 'plugin.path.unknown',
    title: 'DELETE of a path below a rule returns 404 and removes nothing',
    risk: 'write',
    async run(session) {
      const [rule] = await session.rules.arrange(1)
      await expectUnknown(session, 'DELETE', [
        `/api/rules/${rule.index}/x`,
        `/api/rules/${rule.index}/0`,
        `/api/rules/x/${rule.index}`,
      ])
    },
  },
  {
    id: 'CT-805',
    requirement: 'plugin.path.unknown',
    title: 'GET of a path with a version prefix, such as /api/v1/rules, returns 404',
    risk: 'read',
    run: (session) => expectUnknown(session, 'GET', ['/api/v1/rules', '/v1/api/rules', '/v1/rules', '/api/v1/status']),
  },
  {
    id: 'CT-811',
    requirement: 'plugin.method.not-allowed',
    title: 'POST, PUT, PATCH and DELETE on /api/status return 405 and change nothing',
    risk: 'write',
    run: (session) => expectNotAllowed(session, '/api/status', ['POST', 'PUT', 'PATCH', 'DELETE']),
  },
  {
    id: 'CT-812',
    requirement: 'plugin.method.not-allowed',
    title: 'PUT and PATCH on /api/rules return 405 and change nothing',
    risk: 'write',
    run: (session) => expectNotAllowed(session, '/api/rules', ['PUT', 'PATCH']),
  },
  {
    id: 'CT-814',
    requirement: 'plugin.method.not-allowed',
    title: 'DELETE on /api/rules returns 405 and removes nothing',
    // A server that reads it as all rules removes foreign ones.
    risk: 'exclusive',
    run: (session) => expectNotAllowed(session, '/api/rules', ['DELETE']),
  },
  {
    id: 'CT-813',
    requirement: 'plugin.method.rule',
    title: 'GET, PUT, PATCH and POST on /api/rules/{index} return 405 and change nothing',
    risk: 'write',
    async run(session) {
      const [rule] = await session.rules.arrange(1)
      await expectNotAllowed(session, `/api/rules/${rule.index}`, ['GET', 'PUT', 'PATCH', 'POST'])
    },
  },
  ...allowChecks,
]
