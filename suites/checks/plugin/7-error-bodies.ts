import {
  expectError,
  expectJsonType,
  expectObject,
  expectOneStatus,
  expectThat,
  type OneOrMoreStatuses,
} from '../../assertions/expect.ts'
import type { Method } from '../../client/client.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Draft } from '../../model/rule.ts'
import type { Check, Risk } from '../../session/check.ts'
import { operations, reads, writes } from '../../session/operations.ts'
import type { Session } from '../../session/session.ts'

type Send = (session: Session) => Promise<HttpResponse>

const send = (method: Method, path: string, body?: string): Send => {
  const content = body === undefined ? {} : { body }
  return ({ plugin }) => plugin.send({ method, path, ...content })
}

const addWithout = (field: keyof Draft): Send => {
  return ({ plugin, rules }) => plugin.add({ ...rules.draft(), [field]: undefined })
}

const removeAt = (index: string | number): Send => {
  return ({ plugin }) => plugin.remove(index)
}

const removeWithoutKey: Send = async ({ plugin, rules }) => {
  const [rule] = await rules.arrange(1)
  return plugin.remove(rule.index, { key: null })
}

/** The status of each kind of error; the requirements of clause 7 have the same names. */
const statuses = { '400': 400, '401': 401, '404-path': 404, '404-index': 404, '405': 405 } as const

const wrongKey = { key: 'not-the-key', as: 'bearer' } as const

/** One request for each cause of an error. `exclusive`: a server that reads it as index 0 removes a foreign rule. */
const requests: readonly {
  readonly id: string
  readonly kind: keyof typeof statuses
  readonly what: string
  readonly request: Send
  readonly risk?: Risk
  /** Where more than the status of the kind is allowed. */
  readonly statuses?: OneOrMoreStatuses
}[] = [
  { id: 'CT-831', kind: '400', what: 'POST with invalid JSON', request: send('POST', '/api/rules', '{') },
  { id: 'CT-832', kind: '400', what: 'POST without direction', request: addWithout('direction') },
  { id: 'CT-859', kind: '400', what: 'POST without master', request: addWithout('master') },
  { id: 'CT-860', kind: '400', what: 'POST without value', request: addWithout('value') },
  { id: 'CT-861', kind: '404-path', what: 'DELETE of a path below a rule', request: removeAt('999999/x') },
  { id: 'CT-862', kind: '405', what: 'PATCH /api/rules', request: send('PATCH', '/api/rules', '{}') },
  { id: 'CT-863', kind: '405', what: 'DELETE /api/status', request: send('DELETE', '/api/status') },
  { id: 'CT-851', kind: '400', what: 'POST with an empty body', request: send('POST', '/api/rules', '') },
  {
    id: 'CT-852',
    kind: '401',
    what: 'POST without a key',
    request: ({ plugin, rules }) => plugin.add(rules.draft(), { key: null }),
  },
  { id: 'CT-853', kind: '401', what: 'DELETE of a rule without a key', request: removeWithoutKey },
  { id: 'CT-854', kind: '404-path', what: 'POST to an unknown endpoint', request: send('POST', '/api/unknown', '{}') },
  {
    id: 'CT-855',
    kind: '404-path',
    what: 'DELETE of an unknown endpoint',
    request: send('DELETE', '/api/unknown/999999'),
  },
  { id: 'CT-856', kind: '404-index', what: 'DELETE with a negative index', request: removeAt('-1') },
  {
    id: 'CT-857',
    kind: '404-index',
    what: 'DELETE with an empty index',
    request: removeAt(''),
    risk: 'exclusive',
    statuses: [404, 405],
  },
  { id: 'CT-858', kind: '404-index', what: 'DELETE with a ten-digit index', request: removeAt('9999999999') },
  {
    id: 'CT-833',
    kind: '401',
    what: 'GET /api/rules without a key',
    request: ({ plugin }) => plugin.list({ key: null }),
    risk: 'read',
  },
  {
    id: 'CT-834',
    kind: '401',
    what: 'GET /api/status with a wrong key',
    request: ({ plugin }) => plugin.status(wrongKey),
    risk: 'read',
  },
  {
    id: 'CT-835',
    kind: '404-path',
    what: 'GET of an unknown endpoint',
    request: send('GET', '/api/unknown'),
    risk: 'read',
  },
  { id: 'CT-836', kind: '404-index', what: 'DELETE with an index past the end', request: removeAt(999_999) },
  {
    id: 'CT-837',
    kind: '404-index',
    what: 'DELETE with a non-numeric index',
    request: removeAt('abc'),
    risk: 'exclusive',
  },
  { id: 'CT-838', kind: '405', what: 'POST /api/status', request: send('POST', '/api/status', '{}') },
  { id: 'CT-839', kind: '405', what: 'PUT /api/rules', request: send('PUT', '/api/rules', '{}') },
]

const failures = requests.map(({ kind, risk = 'write', statuses: allowed = [statuses[kind]], ...rest }) => ({
  ...rest,
  requirement: 'plugin.errors.every',
  allowed,
  risk,
}))

const failureChecks = failures.map(
  ({ id, requirement, allowed, what, risk, request }): Check => ({
    id,
    requirement,
    title: `${what} returns ${allowed.join(' or ')} with a JSON object { error: string }`,
    risk,
    async run(session) {
      const response = await request(session)
      expectOneStatus(response, allowed)
      expectError(response)
    },
  }),
)

const errorForms: readonly {
  readonly ids: readonly [string, string]
  readonly requirement: string
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
    requirement: 'plugin.json.content-type',
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

/** The methods of the requests, by risk. */
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
        expectOneStatus(response, failure.allowed)
        expect(response)
      }
    },
  })),
)

const contentTypeChecks: readonly Check[] = [
  {
    id: 'CT-308',
    aliases: ['CT-210'],
    requirement: 'plugin.json.content-type',
    title: 'GET /api/status and GET /api/rules respond with Content-Type application/json',
    risk: 'read',
    async run(session) {
      for (const name of reads) expectJsonType(await operations[name](session, {}))
    },
  },
  {
    id: 'CT-503',
    aliases: ['CT-418'],
    requirement: 'plugin.json.content-type',
    title: 'POST and DELETE of a rule respond with Content-Type application/json',
    risk: 'write',
    async run(session) {
      for (const name of writes) expectJsonType(await operations[name](session, {}))
    },
  },
]

/** Clauses 4.2 and 7: the form of every error, and the media type of every response. */
export const errorBodyChecks: readonly Check[] = [...failureChecks, ...formChecks, ...contentTypeChecks]
