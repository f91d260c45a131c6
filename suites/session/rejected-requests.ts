import type { ExpectedStatus } from '../assertions/expect.ts'
import { type Draft, type Rule, ruleFields } from '../model/rule.ts'
import { type PluginRequest, type RequestOverrides, toJson } from './plugin.ts'

export interface RequestInputs {
  readonly draft: () => Draft
  /** The index of a rule that a faulty server may remove. */
  readonly index: number
  readonly last: number
}

/** A request that no conforming server accepts, whatever its list holds. */
export interface RejectedRequest {
  /** E.g. `POST with value 0`. */
  readonly what: string
  /** `null`: any error status. */
  readonly status: ExpectedStatus | null
  readonly request: (inputs: RequestInputs) => PluginRequest
  /** In an empty list another status is correct too. */
  readonly needsRule?: true
  /** The step of the comparison with a twin that sends it. */
  readonly step?: string | undefined
}

type Facts = Partial<Omit<RejectedRequest, 'what' | 'request'>>

export function post(body: string | Buffer, more: Partial<PluginRequest> = {}): PluginRequest {
  return { method: 'POST', path: '/api/rules', body, ...more }
}

export function remove(segment: number | string, more: Partial<PluginRequest> = {}): PluginRequest {
  return { method: 'DELETE', path: `/api/rules/${segment}`, ...more }
}

/** A rule with these changes; `undefined` leaves a field out. */
function posted(what: string, changes: Readonly<Record<string, unknown>>, facts: Facts = {}): RejectedRequest {
  return postedAs(what, (draft) => ({ ...draft, ...changes }), facts)
}

function postedAs(what: string, change: (draft: Draft) => unknown, facts: Facts = {}): RejectedRequest {
  return { what: `POST with ${what}`, status: null, request: ({ draft }) => post(toJson(change(draft()))), ...facts }
}

function postedText(what: string, damage: (json: string) => string, facts: Facts = {}): RejectedRequest {
  return { what: `POST with ${what}`, status: 400, request: ({ draft }) => post(damage(toJson(draft()))), ...facts }
}

function removed(
  what: string,
  segment: (inputs: RequestInputs) => number | string,
  facts: Facts = {},
): RejectedRequest {
  return { what: `DELETE with ${what}`, status: 404, request: (inputs) => remove(segment(inputs)), ...facts }
}

function wrongPath(request: PluginRequest, status: RejectedRequest['status'], facts: Facts = {}): RejectedRequest {
  return { what: `${request.method} ${request.path}`, status, request: () => request, ...facts }
}

/** The inputs for a server with this list, any rule of which may be removed. */
export function situationIn(list: readonly Rule[], draft: () => Draft): RequestInputs {
  return { draft, index: list[0]?.index ?? 0, last: list.at(-1)?.index ?? -1 }
}

/** The four operations with this key. `steps` has the ids of those that are steps of `parity`. */
function keyless(given: string, key: RequestOverrides, steps: { status?: string; list?: string; add?: string } = {}) {
  const row = (operation: string, request: RejectedRequest['request'], facts: Facts): RejectedRequest => ({
    ...{ what: `${operation} with ${given}`, status: 401, request: (inputs) => ({ ...request(inputs), ...key }) },
    ...facts,
  })
  return [
    row('GET /api/status', () => ({ method: 'GET', path: '/api/status' }), { step: steps.status }),
    row('GET /api/rules', () => ({ method: 'GET', path: '/api/rules' }), { step: steps.list }),
    row('POST', ({ draft }) => post(toJson(draft())), { step: steps.add }),
    // Whether the index or the key is checked first is not specified.
    row('DELETE', ({ index }) => remove(index), { needsRule: true }),
  ]
}

/** With a second mistake. Which one a server checks first is not specified. */
function withoutKey({ what, request }: RejectedRequest, step: string): RejectedRequest {
  return { what: `${what} and no key`, status: null, step, request: (inputs) => ({ ...request(inputs), key: null }) }
}

const wrongKey = 'not-the-key'

/** Every kind of rejected request, for a server that only the kit writes to. */
export const rejectedRequests: readonly RejectedRequest[] = [
  ...ruleFields.map((field) => {
    const facts = { status: 400, step: `add.without-${field}` } as const
    return posted(`no ${field}`, { [field]: undefined }, facts)
  }),
  ...ruleFields.map((field) => posted(`null as ${field}`, { [field]: null })),
  ...ruleFields.map((field) => postedAs(`an array as ${field}`, (draft) => ({ ...draft, [field]: [draft[field]] }))),
  ...ruleFields.map((field) => posted(`true as ${field}`, { [field]: true })),
  posted('value 0', { value: 0 }, { step: 'add.value-zero' }),
  postedAs('a negative value', (draft) => ({ ...draft, value: -draft.value }), { step: 'add.value-negative' }),
  posted('an undocumented mode', { mode: 'x' }, { step: 'add.unknown-mode' }),
  posted('an undocumented direction', { direction: 'other' }),
  postedAs('an array', (draft) => [draft]),
  { what: 'POST with an empty body', status: 400, request: () => post('') },
  postedText('truncated JSON', (json) => json.slice(0, -1)),
  postedText('two rules', (json) => json + json),
  removed('the index after the last', ({ last }) => last + 1, { step: 'remove.behind-the-end' }),
  removed('a large index', ({ last }) => last + 2 ** 16),
  removed('the index -1', () => -1, { step: 'remove.negative' }),
  removed('text as the index', () => 'abc', { step: 'remove.text' }),
  wrongPath({ method: 'PUT', path: '/api/rules', body: '{}' }, 405),
  wrongPath({ method: 'DELETE', path: '/api/rules' }, 405, { step: 'method.delete-rules' }),
  {
    what: 'DELETE /api/rules with an index in the query string',
    // The path has no index. Whether the query is rejected first is not specified.
    status: null,
    request: ({ index }) => ({ method: 'DELETE', path: `/api/rules?index=${index}` }),
  },
  wrongPath({ method: 'POST', path: '/api/status', body: '{}' }, 405),
  wrongPath({ method: 'POST', path: '/api/unknown', body: '{}' }, 404),
  wrongPath({ method: 'DELETE', path: '/api/unknown/0' }, 404),
  wrongPath({ method: 'GET', path: '/api/unknown' }, 404, { step: 'unknown-path' }),
  ...keyless('no key', { key: null }, { status: 'status.no-key', add: 'add.no-key' }),
  ...keyless('a wrong key', { key: wrongKey }, { list: 'list.wrong-key', add: 'add.wrong-key' }),
  ...keyless('a wrong key as Bearer', { key: wrongKey, as: 'bearer' }),
]

/** Further rejected requests for some checks, for error texts and for `parity`. */
const furtherRequests: readonly RejectedRequest[] = [
  posted('a string as master', { master: 'x' }, { step: 'add.master-of-another-type' }),
  posted('a string as follower', { follower: 'x' }, { step: 'add.follower-of-another-type' }),
  posted('an empty array as mode', { mode: [] }, { step: 'add.mode-of-another-type' }),
  posted('an empty array as value', { value: [] }, { step: 'add.value-of-another-type' }),
  posted('a number as direction', { direction: 7 }, { step: 'add.direction-of-another-type' }),
  posted('a string as value', { value: 'x' }),
  posted('direction x', { direction: 'x' }, { step: 'add.unknown-direction' }),
  posted('a number in quotes as value', { value: '1' }, { step: 'add.text-as-value' }),
  posted('master 1.5', { master: 1.5 }, { step: 'add.login-fractional' }),
  postedText('the start of an object', () => '{"master":', { step: 'add.invalid-json' }),
  postedText('the body []', () => '[]', { step: 'add.no-object' }),
  withoutKey(posted('no master', { master: undefined }), 'add.without-master-and-key'),
  withoutKey(
    removed('text as the index', () => 'abc'),
    'remove.text-without-key',
  ),
  removed('the index 999999', () => 999_999),
  removed('an index far past the end', () => 999_999_999, { step: 'remove.far-behind-the-end' }),
  removed('an index followed by x', ({ index }) => `${index}x`),
  removed('an index followed by .5', ({ index }) => `${index}.5`),
  removed('the index 1.0', () => '1.0', { step: 'remove.fraction' }),
  wrongPath({ method: 'PUT', path: '/api/status' }, 405, { step: 'method.put-status' }),
  wrongPath({ method: 'PATCH', path: '/api/rules' }, 405, { step: 'method.patch-rules' }),
]

const all = [...rejectedRequests, ...furtherRequests]

/** The rejected request with this name, e.g. `POST with value 0`. */
export function rejectedRequest(what: string): RejectedRequest {
  const found = all.find((row) => row.what === what)
  if (found === undefined) throw new Error(`there is no rejected request "${what}"`)
  return found
}

/** The requests that `parity` sends. */
export const rejectedSteps = all.flatMap(({ step, ...row }) => (step === undefined ? [] : [{ ...row, step }]))

/** Also sent to servers with foreign rules. If a faulty server removes one of these, the guard adds it again. */
const rejectedAnywhere = [
  ...['no key', 'a wrong key', 'a wrong key as Bearer'].flatMap((key) => [`POST with ${key}`, `DELETE with ${key}`]),
  'POST with no direction',
  'POST with value 0',
  'POST with an undocumented mode',
  'POST with an undocumented direction',
  'POST with a string as master',
  'POST with an array',
  'POST with truncated JSON',
  'POST with an empty body',
  'DELETE with the index 999999',
  'DELETE with the index -1',
  'DELETE with an index followed by x',
  'DELETE with an index followed by .5',
].map(rejectedRequest)

/** Invalid requests of the two operations that change the list, each with one mistake. `rule` is one of the kit. */
export function requestsToReject({ index }: Rule, draft: () => Draft): readonly PluginRequest[] {
  return rejectedAnywhere.map(({ request }) => request({ draft, index, last: index }))
}
