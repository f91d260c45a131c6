import type { Check, Risk } from '../engine/check.ts'
import type { Answer } from '../http/answer.ts'
import type { Method } from '../http/client.ts'
import type { Session } from '../session/session.ts'
import {
  expectError,
  expectJsonType,
  expectObject,
  expectStatus,
  expectThat,
  expectUnchanged,
} from '../vocabulary/expect.ts'

/** Asks each path and expects 404; what is asked with another method than GET changes nothing. */
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

/** One request for each way to an error, with the status that it leads to. */
const failures: readonly {
  readonly requirement: string
  readonly id: string
  readonly status: number
  readonly what: string
  readonly risk: Risk
  readonly request: (session: Session) => Promise<Answer>
}[] = [
  {
    requirement: 'plugin.errors.400',
    id: 'CT-831',
    status: 400,
    what: 'invalid JSON',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'POST', path: '/api/rules', body: '{' }),
  },
  {
    requirement: 'plugin.errors.400',
    id: 'CT-832',
    status: 400,
    what: 'a missing field',
    risk: 'write',
    request: ({ plugin, rules }) => plugin.add({ ...rules.draft(), direction: undefined }),
  },
  {
    requirement: 'plugin.errors.400',
    id: 'CT-851',
    status: 400,
    what: 'an empty body',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'POST', path: '/api/rules', body: '' }),
  },
  {
    requirement: 'plugin.errors.401',
    id: 'CT-852',
    status: 401,
    what: 'adding without a key',
    risk: 'write',
    request: ({ plugin, rules }) => plugin.add(rules.draft(), { key: null }),
  },
  {
    requirement: 'plugin.errors.401',
    id: 'CT-853',
    status: 401,
    what: 'removing without a key',
    risk: 'write',
    request: async ({ plugin, rules }) => {
      const [rule] = await rules.arrange(1)
      return plugin.remove(rule.index, { key: null })
    },
  },
  {
    requirement: 'plugin.errors.404-path',
    id: 'CT-854',
    status: 404,
    what: 'POST to an unknown endpoint',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'POST', path: '/api/unknown', body: '{}' }),
  },
  {
    requirement: 'plugin.errors.404-path',
    id: 'CT-855',
    status: 404,
    what: 'DELETE of an unknown endpoint',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'DELETE', path: '/api/unknown/0' }),
  },
  {
    requirement: 'plugin.errors.404-index',
    id: 'CT-856',
    status: 404,
    what: 'a negative index',
    risk: 'write',
    request: ({ plugin }) => plugin.remove('-1'),
  },
  {
    requirement: 'plugin.errors.404-index',
    id: 'CT-857',
    status: 404,
    what: 'an empty index',
    risk: 'write',
    request: ({ plugin }) => plugin.remove(''),
  },
  {
    requirement: 'plugin.errors.404-index',
    id: 'CT-858',
    status: 404,
    what: 'an index of ten digits',
    risk: 'write',
    request: ({ plugin }) => plugin.remove('9999999999'),
  },
  {
    requirement: 'plugin.errors.401',
    id: 'CT-833',
    status: 401,
    what: 'a missing key',
    risk: 'read',
    request: ({ plugin }) => plugin.list({ key: null }),
  },
  {
    requirement: 'plugin.errors.401',
    id: 'CT-834',
    status: 401,
    what: 'a wrong key',
    risk: 'read',
    request: ({ plugin }) => plugin.status({ key: 'not-the-key', as: 'bearer' }),
  },
  {
    requirement: 'plugin.errors.404-path',
    id: 'CT-835',
    status: 404,
    what: 'an unknown endpoint',
    risk: 'read',
    request: ({ plugin }) => plugin.send({ method: 'GET', path: '/api/unknown' }),
  },
  {
    requirement: 'plugin.errors.404-index',
    id: 'CT-836',
    status: 404,
    what: 'an index past the end',
    risk: 'write',
    request: ({ plugin }) => plugin.remove(999_999),
  },
  {
    requirement: 'plugin.errors.404-index',
    id: 'CT-837',
    status: 404,
    what: 'an index that is no number',
    risk: 'write',
    request: ({ plugin }) => plugin.remove('abc'),
  },
  {
    requirement: 'plugin.errors.405',
    id: 'CT-838',
    status: 405,
    what: 'a wrong method on the status',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'POST', path: '/api/status', body: '{}' }),
  },
  {
    requirement: 'plugin.errors.405',
    id: 'CT-839',
    status: 405,
    what: 'a wrong method on the rules',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'PUT', path: '/api/rules', body: '{}' }),
  },
]

const failureChecks = failures.map(
  ({ requirement, id, status, what, risk, request }): Check => ({
    id,
    requirement,
    title: `${what} is answered with ${status} and { error: string }`,
    risk,
    async run(session) {
      const answer = await request(session)
      expectStatus(answer, status)
      expectError(answer)
    },
  }),
)

const errorForms: readonly {
  readonly ids: readonly [string, string]
  readonly requirement: string
  readonly title: string
  readonly expect: (answer: Answer) => void
}[] = [
  {
    ids: ['CT-841', 'CT-842'],
    requirement: 'plugin.errors.description',
    title: 'has an error text that is not empty',
    expect: expectDescription,
  },
  {
    ids: ['CT-843', 'CT-844'],
    requirement: 'plugin.errors.content-type',
    title: 'is sent as application/json',
    expect: expectJsonType,
  },
]

function expectDescription(answer: Answer): void {
  const { error } = expectObject(answer)
  expectThat(typeof error === 'string' && error.trim() !== '', 'the error text is empty', {
    expected: 'a description',
    actual: error,
  })
}

const formChecks = errorForms.flatMap(({ ids, requirement, title, expect }): Check[] =>
  (['read', 'write'] as const).map((risk, i) => ({
    id: ids[i] ?? '',
    requirement,
    title: `each ${failures
      .filter((failure) => failure.risk === risk)
      .map(({ status }) => status)
      .filter((status, at, all) => all.indexOf(status) === at)
      .join(', ')} ${title}`,
    risk,
    async run(session) {
      for (const failure of failures.filter((one) => one.risk === risk)) {
        const answer = await failure.request(session)
        expectStatus(answer, failure.status)
        expect(answer)
      }
    },
  })),
)

const allowed = [
  { id: 'CT-821', path: '/api/status', method: 'POST', methods: ['GET'] },
  { id: 'CT-822', path: '/api/rules', method: 'PUT', methods: ['GET', 'POST'] },
  { id: 'CT-823', path: '/api/rules/0', method: 'PUT', methods: ['DELETE'] },
] as const

const allowChecks = allowed.map(
  ({ id, path, method, methods }): Check => ({
    id,
    requirement: 'plugin.method.allow',
    title: `${method} ${path} is answered with 405 and an Allow header that lists ${methods.join(' and ')}`,
    risk: 'write',
    async run({ plugin }) {
      const answer = await plugin.send({ method, path, body: '{}' })
      expectStatus(answer, 405)
      const listed = (answer.headers.allow ?? '').split(',').map((name) => name.trim())
      expectThat(
        methods.every((name) => listed.includes(name)),
        'Allow does not list the documented methods',
        {
          expected: methods.join(', '),
          actual: answer.headers.allow ?? 'no Allow header',
        },
      )
    },
  }),
)

/** Clauses 7 and 9: unknown endpoints, methods, and the form of every error. */
export const errorChecks: readonly Check[] = [
  {
    id: 'CT-801',
    requirement: 'plugin.path.unknown',
    title: 'GET of paths that are not documented is answered with 404',
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
      ]),
  },
  {
    id: 'CT-802',
    requirement: 'plugin.path.unknown',
    title: 'GET /api and / are answered with 404',
    risk: 'read',
    run: (session) => expectUnknown(session, 'GET', ['/api', '/']),
  },
  {
    id: 'CT-803',
    requirement: 'plugin.path.unknown',
    title: 'POST and DELETE of paths that are not documented are answered with 404 and change nothing',
    risk: 'write',
    async run(session) {
      await expectUnknown(session, 'POST', ['/api/rule', '/api/unknown', '/rules'])
      await expectUnknown(session, 'DELETE', ['/api/rule/0', '/api/unknown', '/rules/0'])
    },
  },
  {
    id: 'CT-804',
    requirement: 'plugin.path.below-rule',
    title: 'DELETE of a path below a rule of the kit is answered with 404 and removes nothing',
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
    requirement: 'plugin.path.no-version-prefix',
    title: 'GET /api/v1/rules, /v1/api/rules and /v1/rules are answered with 404',
    risk: 'read',
    run: (session) => expectUnknown(session, 'GET', ['/api/v1/rules', '/v1/api/rules', '/v1/rules', '/api/v1/status']),
  },
  {
    id: 'CT-811',
    requirement: 'plugin.method.status',
    title: 'POST, PUT, PATCH and DELETE on /api/status are answered with 405 and change nothing',
    risk: 'write',
    run: (session) => expectNotAllowed(session, '/api/status', ['POST', 'PUT', 'PATCH', 'DELETE']),
  },
  {
    id: 'CT-812',
    requirement: 'plugin.method.rules',
    title: 'PUT, PATCH and DELETE on /api/rules are answered with 405 and change nothing',
    risk: 'write',
    run: (session) => expectNotAllowed(session, '/api/rules', ['PUT', 'PATCH', 'DELETE']),
  },
  {
    id: 'CT-813',
    requirement: 'plugin.method.rule',
    title: 'GET, PUT, PATCH and POST on the path of a rule are answered with 405 and change nothing',
    risk: 'write',
    async run(session) {
      const [rule] = await session.rules.arrange(1)
      await expectNotAllowed(session, `/api/rules/${rule.index}`, ['GET', 'PUT', 'PATCH', 'POST'])
    },
  },
  ...allowChecks,
  ...failureChecks,
  ...formChecks,
]
