import type { HttpResponse } from '../client/response.ts'

/** What of an answer is compared; null where none came. */
export type Seen = Pick<HttpResponse, 'status' | 'headers' | 'json' | 'text'> | null

/** One point in which two answers differ, e.g. `body at /rules/0/index`. */
export interface Difference {
  readonly at: string
  readonly target: string
  readonly twin: string
  /** Only in words that no program should read. */
  readonly wording: boolean
}

/** What counts of a body. */
export interface Terms {
  /** Whether the profile records this text of an error: only then the target is expected to use it. */
  isRecorded(text: string): boolean
  /** Whether what is at this place of a body is left out, e.g. at `/uptime`. */
  isIgnored(pointer: string): boolean
}

/**
 * Where two answers to the same request differ. Compared are the status; of the headers those that
 * a program acts upon: the media type, the methods of Allow, whether a 401 asks for a key, where a
 * redirect leads to; and the body as JSON in both directions, numbers by their value. Dates, lengths
 * and connection handling are the HTTP library's, and `api_port` is each server's own.
 */
export function compare(target: Seen, twin: Seen, terms: Terms): readonly Difference[] {
  if (target === null || twin === null) {
    return target === twin ? [] : [differing('answer', target?.status, twin?.status)]
  }
  return [
    ...(target.status === twin.status ? [] : [differing('status', target.status, twin.status)]),
    ...headers.flatMap(({ name, read }) => {
      const [one, other] = [read(target.headers[name]), read(twin.headers[name])]
      return one === other ? [] : [differing(`header ${name}`, one ?? undefined, other ?? undefined)]
    }),
    ...compareBodies(target, twin, terms),
  ]
}

const headers: readonly { readonly name: string; readonly read: (value: string | undefined) => string | null }[] = [
  { name: 'content-type', read: (value) => value?.split(';')[0]?.trim().toLowerCase() || null },
  {
    name: 'allow',
    read: (value) =>
      value === undefined
        ? null
        : value
            .split(',')
            .map((method) => method.trim())
            .toSorted()
            .join(', '),
  },
  { name: 'www-authenticate', read: (value) => (value === undefined ? null : 'sent') },
  { name: 'location', read: (value) => value?.replace(/^https?:\/\/[^/]*/, '') ?? null },
]

function compareBodies(target: NonNullable<Seen>, twin: NonNullable<Seen>, terms: Terms): readonly Difference[] {
  if (target.json === undefined && twin.json === undefined) {
    return target.text === twin.text ? [] : [differing('body', target.text, twin.text)]
  }
  return compareJson(target.json, twin.json, { pointer: '', terms }).map((difference) => {
    const isText = difference.at === 'body at /error' && isError(target.json) && isError(twin.json)
    return isText ? { ...difference, wording: !terms.isRecorded((twin.json as { error: string }).error) } : difference
  })
}

function isError(json: unknown): boolean {
  return typeof (json as { error?: unknown } | null)?.error === 'string'
}

interface Place {
  readonly pointer: string
  readonly terms: Terms
}

function compareJson(target: unknown, twin: unknown, { pointer, terms }: Place): readonly Difference[] {
  if (terms.isIgnored(pointer)) return []
  if (pointer === '/api_port' && typeof target === typeof twin) return []
  if (isContainer(target) && isContainer(twin) && Array.isArray(target) === Array.isArray(twin)) {
    const [one, other] = [target as Record<string, unknown>, twin as Record<string, unknown>]
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...names].flatMap((name) => compareJson(one[name], other[name], { pointer: `${pointer}/${name}`, terms }))
  }
  return Object.is(target, twin) || target === twin ? [] : [differing(`body at ${pointer || '/'}`, target, twin)]
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function differing(at: string, target: unknown, twin: unknown): Difference {
  return { at, target: show(target), twin: show(twin), wording: false }
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'bigint') return String(value)
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
}
