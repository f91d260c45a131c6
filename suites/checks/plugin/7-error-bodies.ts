import {
  type ExpectedStatus,
  expectError,
  expectJsonType,
  expectObject,
  expectStatus,
  expectThat,
} from '../../assertions/expect.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Check, Risk } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'

/** One request for each way to an error, with the status that it leads to. */
const failures: readonly {
  readonly requirement: string
  readonly id: string
  readonly status: ExpectedStatus
  readonly what: string
  readonly risk: Risk
  readonly request: (session: Session) => Promise<HttpResponse>
}[] = [
  {
    requirement: 'plugin.errors.400',
    id: 'CT-831',
    status: 400,
    what: 'POST with invalid JSON',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'POST', path: '/api/rules', body: '{' }),
  },
  {
    requirement: 'plugin.errors.400',
    id: 'CT-832',
    status: 400,
    what: 'POST without direction',
    risk: 'write',
    request: ({ plugin, rules }) => plugin.add({ ...rules.draft(), direction: undefined }),
  },
  {
    requirement: 'plugin.errors.400',
    id: 'CT-859',
    status: 400,
    what: 'POST without master',
    risk: 'write',
    request: ({ plugin, rules }) => plugin.add({ ...rules.draft(), master: undefined }),
  },
  {
    requirement: 'plugin.errors.400',
    id: 'CT-860',
    status: 400,
    what: 'POST without value',
    risk: 'write',
    request: ({ plugin, rules }) => plugin.add({ ...rules.draft(), value: undefined }),
  },
  {
    requirement: 'plugin.errors.404-path',
    id: 'CT-861',
    status: 404,
    what: 'DELETE of a path below a rule',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'DELETE', path: '/api/rules/999999/x' }),
  },
  {
    requirement: 'plugin.errors.405',
    id: 'CT-862',
    status: 405,
    what: 'PATCH /api/rules',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'PATCH', path: '/api/rules', body: '{}' }),
  },
  {
    requirement: 'plugin.errors.405',
    id: 'CT-863',
    status: 405,
    what: 'DELETE /api/status',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'DELETE', path: '/api/status' }),
  },
  {
    requirement: 'plugin.errors.400',
    id: 'CT-851',
    status: 400,
    what: 'POST with an empty body',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'POST', path: '/api/rules', body: '' }),
  },
  {
    requirement: 'plugin.errors.401',
    id: 'CT-852',
    status: 401,
    what: 'POST without a key',
    risk: 'write',
    request: ({ plugin, rules }) => plugin.add(rules.draft(), { key: null }),
  },
  {
    requirement: 'plugin.errors.401',
    id: 'CT-853',
    status: 401,
    what: 'DELETE of a rule without a key',
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
    request: ({ plugin }) => plugin.send({ method: 'DELETE', path: '/api/unknown/999999' }),
  },
  {
    requirement: 'plugin.errors.404-index',
    id: 'CT-856',
    status: 404,
    what: 'DELETE with a negative index',
    risk: 'write',
    request: ({ plugin }) => plugin.remove('-1'),
  },
  {
    requirement: 'plugin.errors.404-index',
    id: 'CT-857',
    status: 404,
    what: 'DELETE with an empty index',
    // A server that took it for index 0 would remove a foreign rule.
    risk: 'exclusive',
    request: ({ plugin }) => plugin.remove(''),
  },
  {
    requirement: 'plugin.errors.404-index',
    id: 'CT-858',
    status: 404,
    what: 'DELETE with a ten-digit index',
    risk: 'write',
    request: ({ plugin }) => plugin.remove('9999999999'),
  },
  {
    requirement: 'plugin.errors.401',
    id: 'CT-833',
    status: 401,
    what: 'GET /api/rules without a key',
    risk: 'read',
    request: ({ plugin }) => plugin.list({ key: null }),
  },
  {
    requirement: 'plugin.errors.401',
    id: 'CT-834',
    status: 401,
    what: 'GET /api/status with a wrong key',
    risk: 'read',
    request: ({ plugin }) => plugin.status({ key: 'not-the-key', as: 'bearer' }),
  },
  {
    requirement: 'plugin.errors.404-path',
    id: 'CT-835',
    status: 404,
    what: 'GET of an unknown endpoint',
    risk: 'read',
    request: ({ plugin }) => plugin.send({ method: 'GET', path: '/api/unknown' }),
  },
  {
    requirement: 'plugin.errors.404-index',
    id: 'CT-836',
    status: 404,
    what: 'DELETE with an index past the end',
    risk: 'write',
    request: ({ plugin }) => plugin.remove(999_999),
  },
  {
    requirement: 'plugin.errors.404-index',
    id: 'CT-837',
    status: 404,
    what: 'DELETE with a non-numeric index',
    // A server that took it for index 0 would remove a foreign rule.
    risk: 'exclusive',
    request: ({ plugin }) => plugin.remove('abc'),
  },
  {
    requirement: 'plugin.errors.405',
    id: 'CT-838',
    status: 405,
    what: 'POST /api/status',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'POST', path: '/api/status', body: '{}' }),
  },
  {
    requirement: 'plugin.errors.405',
    id: 'CT-839',
    status: 405,
    what: 'PUT /api/rules',
    risk: 'write',
    request: ({ plugin }) => plugin.send({ method: 'PUT', path: '/api/rules', body: '{}' }),
  },
]

const failureChecks = failures.map(
  ({ requirement, id, status, what, risk, request }): Check => ({
    id,
    requirement,
    title: `${what} returns ${status} with a JSON object { error: string }`,
    risk,
    async run(session) {
      const response = await request(session)
      expectStatus(response, status)
      expectError(response)
    },
  }),
)

const errorForms: readonly {
  readonly ids: readonly [string, string]
  readonly requirement: string
  /** What the title says that the responses have. */
  readonly part: string
  readonly expect: (response: HttpResponse) => void
}[] = [
  {
    ids: ['CT-841', 'CT-842'],
    requirement: 'plugin.errors.description',
    part: 'a non-empty error text',
    expect: expectDescription,
  },
  {
    ids: ['CT-843', 'CT-844'],
    requirement: 'plugin.errors.content-type',
    part: 'Content-Type application/json',
    expect: expectJsonType,
  },
]

function expectDescription(response: HttpResponse): void {
  const { error } = expectObject(response)
  expectThat(typeof error === 'string' && error.trim() !== '', 'error.text-empty', {
    actual: error,
    response,
  })
}

/** The methods of the failures, by risk. */
const methods = { read: 'GET', write: 'POST, PUT, PATCH and DELETE' } as const

const formChecks = errorForms.flatMap(({ ids, requirement, part, expect }): Check[] =>
  (['read', 'write'] as const).map((risk, i) => ({
    id: ids[i] ?? '',
    requirement,
    title: `Error responses to ${methods[risk]} have ${part}`,
    risk,
    async run(session) {
      for (const failure of failures.filter((one) => one.risk === risk)) {
        const response = await failure.request(session)
        expectStatus(response, failure.status)
        expect(response)
      }
    },
  })),
)

/** Clause 7: the form of every error. */
export const errorBodyChecks: readonly Check[] = [...failureChecks, ...formChecks]
