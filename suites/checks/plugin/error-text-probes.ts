import { type ErrorKind, type PluginErrorKindId, pluginErrorKinds } from '../../../spec/plugin/error-kinds.ts'
import { type ExpectedStatus, expectStatus } from '../../assertions/expect.ts'
import { OutOfScope } from '../../assertions/failure.ts'
import type { Exchange } from '../../client/exchange.ts'
import { isObject } from '../../client/json.ts'
import type { HttpResponse } from '../../client/response.ts'
import { type ErrorTextProbe, idAndTitle, type ObservedAnswer } from '../../session/check.ts'
import { rejectedRequest, situationIn } from '../../session/rejected-requests.ts'

/** What an error text depends on: the request, the body of the response as JSON, and the methods that a 405 allows. */
type Worded = Pick<HttpResponse, 'json' | 'headers'> & { readonly exchange: Pick<Exchange, 'request'> }

const kindById = new Map<string, ErrorKind>(pluginErrorKinds.map((kind) => [kind.id, kind]))

/**
 * The text of an error of this kind; null if there is none. If such a text may name the wrong field, `{field}` replaces
 * `master`, in which the kit makes its mistakes. If it may name methods, `{allow}` replaces those of the Allow header.
 * `{method}` and `{path}` replace those of the request.
 */
export function errorTextIn({ exchange, json, headers }: Worded, kind: PluginErrorKindId): string | null {
  const error = isObject(json) ? json.error : undefined
  if (typeof error !== 'string') return null
  const names = kindById.get(kind)?.names
  if (names === 'field') return error.replace(/\bmaster\b/g, '{field}')
  if (names === undefined) return error
  const { allow } = headers
  const withoutAllow = names === 'allow' && allow ? error.replaceAll(allow, '{allow}') : error
  const { method, url } = exchange.request
  const path = new URL(url).pathname.replace(/^.*(?=\/api\/)/, '')
  return withoutAllow.replaceAll(path, '{path}').replaceAll(new RegExp(`\\b${method}\\b`, 'g'), '{method}')
}

/** The error text of a response, if it has the status of this kind of error. */
function textIn(response: HttpResponse, about: PluginErrorKindId): ObservedAnswer {
  expectStatus(response, Number(kindById.get(about)?.status) as ExpectedStatus)
  const text = errorTextIn(response, about)
  return text === null ? { answer: null, seen: 'the response has no error text' } : { answer: text, seen: '' }
}

/** The kind of error, the request that is rejected with its text, and the names of both for the title. */
type Row = readonly [about: PluginErrorKindId, request: string, error: string, sent?: string]

const probes: Readonly<Record<string, Row>> = {
  'CW-001': ['unauthorized', 'GET /api/status with no key', 'a missing key', 'GET /api/status without a key'],
  'CW-002': ['unknown-endpoint', 'GET /api/unknown', 'an unknown endpoint', 'GET of an unknown path'],
  'CW-003': ['invalid-index', 'DELETE with an index far past the end', 'an invalid index'],
  'CW-004': ['method-not-allowed', 'PUT /api/status', 'a method that is not allowed'],
  'CW-005': ['invalid-json', 'POST with the start of an object', 'invalid JSON', 'POST with truncated JSON'],
  'CW-006': ['no-object', 'POST with the body []', 'a body that is not an object'],
  'CW-007': ['missing-field', 'POST with no master', 'a missing field', 'POST without master'],
  'CW-008': ['login-no-integer', 'POST with a string as master', 'a login that is not an integer'],
  'CW-015': ['login-fractional', 'POST with master 1.5', 'a login with a fraction'],
  'CW-009': ['mode-unknown', 'POST with an undocumented mode', 'an unknown mode', 'POST with mode x'],
  'CW-016': ['mode-no-string', 'POST with an empty array as mode', 'a mode that is not a string'],
  'CW-010': ['value-no-number', 'POST with a string as value', 'a value that is not a number'],
  'CW-011': ['value-not-positive', 'POST with value 0', 'a value that is not positive'],
  'CW-017': ['direction-no-string', 'POST with a number as direction', 'a direction that is not a string'],
  'CW-012': ['direction-unknown', 'POST with direction x', 'an unknown direction'],
}

const rejectedProbes = Object.entries(probes).map(([id, [about, name, error, sent = name]]): ErrorTextProbe => {
  const { request } = rejectedRequest(name)
  return {
    ...{ id, about, title: `${sent} returns the error text for ${error}` },
    risk: sent.startsWith('GET') ? 'read' : 'write',
    run: async ({ plugin, rules }) => textIn(await plugin.send(request(situationIn([], rules.draft))), about),
  }
})

/** The parts of a profile besides the answers to questions. */
export const errorTextProbes: readonly ErrorTextProbe[] = [
  ...rejectedProbes,
  {
    ...idAndTitle('CW-013 POST to a full list returns the error text for a reached capacity'),
    about: 'capacity-reached',
    risk: 'exclusive',
    fills: true,
    async run(session) {
      const { errorResponse } = await session.fill()
      if (errorResponse === null) throw new OutOfScope('the list takes more rules than the stated capacity')
      return textIn(errorResponse, 'capacity-reached')
    },
  },
  {
    ...idAndTitle('CW-014 Filling the list shows the capacity'),
    about: 'capacity',
    risk: 'exclusive',
    fills: true,
    async run({ fill }) {
      const { count, errorResponse } = await fill()
      const full = errorResponse?.status === 500
      return { answer: full ? String(count) : null, seen: full ? '' : `with ${count} rules it is still not full` }
    },
  },
]
