import type { Answer } from '../http/answer.ts'

/** What of an answer is compared; null where none came. */
export type Seen = Pick<Answer, 'status' | 'headers' | 'json' | 'text'> | null

/** One point in which two answers differ, e.g. `body at /rules/0/index`. */
export interface Difference {
  readonly at: string
  readonly target: string
  readonly twin: string
  /** Only in words that no program should read. */
  readonly wording: boolean
}

/** How the twin is expected to word its errors. */
export interface Words {
  /** Whether the profile records this text of an error: only then the target is expected to use it. */
  isRecorded(text: string): boolean
}

/**
 * Where two answers to the same request differ. Compared are the status; of the headers those that
 * a program acts upon: the media type, the methods of Allow, whether a 401 asks for a key, where a
 * redirect leads to; and the body as JSON in both directions, numbers by their value. Dates, lengths
 * and connection handling are the HTTP library's, and `api_port` is each server's own.
 */
export function compare(target: Seen, twin: Seen, words: Words): readonly Difference[] {
  if (target === null || twin === null) {
    return target === twin ? [] : [differing('answer', target?.status, twin?.status)]
  }
  return [
    ...(target.status === twin.status ? [] : [differing('status', target.status, twin.status)]),
    ...headers.flatMap(({ name, read }) => {
      const [one, other] = [read(target.headers[name]), read(twin.headers[name])]
      return one === other ? [] : [differing(`header ${name}`, one ?? undefined, other ?? undefined)]
    }),
    ...compareBodies(target, twin, words),
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

function compareBodies(target: NonNullable<Seen>, twin: NonNullable<Seen>, words: Words): readonly Difference[] {
  if (target.json === undefined && twin.json === undefined) {
    return target.text === twin.text ? [] : [differing('body', target.text, twin.text)]
  }
  return compareJson(target.json, twin.json, '').map((difference) => {
    const isText = difference.at === 'body at /error' && isError(target.json) && isError(twin.json)
    return isText ? { ...difference, wording: !words.isRecorded((twin.json as { error: string }).error) } : difference
  })
}

function isError(json: unknown): boolean {
  return typeof (json as { error?: unknown } | null)?.error === 'string'
}

function compareJson(target: unknown, twin: unknown, path: string): readonly Difference[] {
  if (path === '/api_port' && typeof target === typeof twin) return []
  if (isContainer(target) && isContainer(twin) && Array.isArray(target) === Array.isArray(twin)) {
    const [one, other] = [target as Record<string, unknown>, twin as Record<string, unknown>]
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...names].flatMap((name) => compareJson(one[name], other[name], `${path}/${name}`))
  }
  return Object.is(target, twin) || target === twin ? [] : [differing(`body at ${path || '/'}`, target, twin)]
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
