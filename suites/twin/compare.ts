import { literal } from '../../http/redact.ts'
import type { Exchange } from '../client/exchange.ts'
import { parseJson } from '../client/json.ts'
import type { HttpResponse } from '../client/response.ts'
import { toJson } from '../session/plugin.ts'

/** The compared parts of a response; null if there was none. */
export type ComparedResponse = Pick<HttpResponse, 'status' | 'headers' | 'json' | 'text'> | null

/** Where two responses differ. A pointer leads to a part of a JSON body, e.g. `/rules/0/index`. */
export type DifferenceLocation =
  | { readonly part: 'response' | 'status' | 'text' }
  | { readonly part: 'header'; readonly name: string }
  | { readonly part: 'body'; readonly pointer: string }

export interface Difference {
  readonly place: DifferenceLocation
  /** As JSON; null if there is no value. */
  readonly target: string | null
  readonly twin: string | null
  /** Only an error text differs, which programs should not read. */
  readonly wording: boolean
}

/** The place as text, e.g. `body at /rules/0/index`. */
export function describePlace(place: DifferenceLocation): string {
  if (place.part === 'header') return `header ${place.name}`
  if (place.part === 'text') return 'body'
  return place.part === 'body' ? `body at ${place.pointer || '/'}` : place.part
}

export function isErrorText(place: DifferenceLocation): boolean {
  return place.part === 'body' && place.pointer === '/error'
}

/** The parts of a body that are compared. */
export interface ComparisonScope {
  /** Whether the profile records this error text: only then must the target use it. */
  isRecorded(text: string): boolean
  /** Whether this place in a body is ignored, e.g. `/uptime`. */
  isIgnored(pointer: string): boolean
}

/**
 * Where two responses to the same request differ, in what a program acts upon: the status, some headers, and the body as
 * JSON. Each server has its own `api_port`. Parts of the request that an error text repeats may differ.
 */
export function compare(
  target: ComparedResponse,
  twin: ComparedResponse,
  scope: ComparisonScope,
  sent?: Exchange['request'],
): readonly Difference[] {
  if (target === null || twin === null) {
    return target === twin ? [] : [differing({ part: 'response' }, target?.status, twin?.status)]
  }
  return [
    ...(target.status === twin.status ? [] : [differing({ part: 'status' }, target.status, twin.status)]),
    ...headers.flatMap(({ name, read }) => {
      const [one, other] = [read(target.headers[name]), read(twin.headers[name])]
      return one === other ? [] : [differing({ part: 'header', name }, one ?? undefined, other ?? undefined)]
    }),
    ...compareBodies(target, twin, scope, sent),
  ]
}

const headers: readonly { readonly name: string; readonly read: (value: string | undefined) => string | null }[] = [
  { name: 'content-type', read: (value) => value?.split(';')[0]?.trim().toLowerCase() || null },
  { name: 'allow', read: (value) => value?.replace(/\s/g, '').split(',').toSorted().join(', ') ?? null },
  { name: 'www-authenticate', read: (value) => (value === undefined ? null : 'sent') },
  { name: 'location', read: (value) => value?.replace(/^https?:\/\/[^/]*/, '') ?? null },
]

function compareBodies(
  target: NonNullable<ComparedResponse>,
  twin: NonNullable<ComparedResponse>,
  scope: ComparisonScope,
  sent: Exchange['request'] | undefined,
): readonly Difference[] {
  // Programs follow a redirect without its body.
  const isRedirect = target.status >= 300 && target.status < 400
  if (target.status === twin.status && isRedirect) return []
  if (target.json === undefined && twin.json === undefined) {
    return target.text === twin.text ? [] : [differing({ part: 'text' }, target.text, twin.text)]
  }
  return compareJson(target.json, twin.json, '', scope).flatMap((difference) => {
    if (!isErrorText(difference.place) || !isError(target.json) || !isError(twin.json)) return [difference]
    if (sent !== undefined && saysTheSame(target.json.error, twin.json.error, sent)) return []
    // A profile has one text for a missing and a wrong key, and a server may have two.
    const isFree = target.status === 401 || !scope.isRecorded(twin.json.error)
    return [{ ...difference, wording: isFree }]
  })
}

function isError(json: unknown): json is { readonly error: string } {
  return typeof (json as { error?: unknown } | null)?.error === 'string'
}

/** Where in the body a parser found a mistake, e.g. 85 in `line 1, column: 85`. */
const place = '(?<=\\b(?:line|column|char|position|offset|byte):? )\\d+'

/** Whether two texts are equal except for what follows from the request: its method, its path, values in its body, places. */
function saysTheSame(text: string, other: string, { method, url, body }: Exchange['request']): boolean {
  const target = url.replace(/^https?:\/\/[^/]*/, '')
  const [path = ''] = target.split('?')
  // A proxy in front of the server may have removed the start of the path.
  const paths = path.split('/').map((_, from, segments) => segments.slice(from).join('/'))
  const json = parseJson(Buffer.from(body ?? ''))
  const values = isContainer(json) ? Object.values(json).map(String) : [body ?? '']
  const repeated = [target, path, ...paths.map((end) => `/${end}`), ...path.split('/'), method, ...values]
  const known = repeated.filter((part) => part !== '').map((part) => `(?<!\\w)${literal(part)}(?!\\w)`)
  const [first = '', ...rest] = text.split(new RegExp([...known, place].join('|'), 's')).map(literal)
  return rest.length > 0 && new RegExp(`^${[first, ...rest].join('.*')}$`, 's').test(other)
}

function compareJson(target: unknown, twin: unknown, pointer: string, scope: ComparisonScope): readonly Difference[] {
  if (scope.isIgnored(pointer)) return []
  if (pointer === '/api_port' && typeof target === typeof twin) return []
  if (isContainer(target) && isContainer(twin) && Array.isArray(target) === Array.isArray(twin)) {
    // An object has inherited members too, like toString.
    const [one, other] = [new Map(Object.entries(target)), new Map(Object.entries(twin))]
    const names = new Set([...one.keys(), ...other.keys()])
    return [...names].flatMap((name) => compareJson(one.get(name), other.get(name), `${pointer}/${name}`, scope))
  }
  return Object.is(target, twin) || target === twin ? [] : [differing({ part: 'body', pointer }, target, twin)]
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function differing(place: DifferenceLocation, target: unknown, twin: unknown): Difference {
  return { place, target: jsonOf(target), twin: jsonOf(twin), wording: false }
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : toJson(value)
}
