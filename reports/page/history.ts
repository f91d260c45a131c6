/** Overlapping requests, as the checks of concurrency and durability describe them. */
export interface History {
  /** The rules in the list before the first request, by letter. */
  readonly before: string
  readonly requests: readonly Span[]
  /** What each letter stands for. */
  readonly rules: readonly (readonly [letter: string, rule: string])[]
  /** The moment of the last event. Moments are ordinal numbers, not times. */
  readonly end: number
}

interface Span {
  readonly client: string
  readonly start: number
  /** Null for a request without a response. */
  readonly end: number | null
  /** The request and its response. */
  readonly label: string
}

/** Reads the timeline of `suites/model/timeline.ts`; null for any other text. */
export function historyIn(text: string | null): History | null {
  const [first = '', ...lines] = (text ?? '').split('\n')
  const before = /^list before: (.*)$/.exec(first)?.[1]
  if (before === undefined) return null
  const requests = lines.flatMap((line): Span[] => {
    const [, client = '', indent = '', dashes = '', close, label = ''] =
      /^(\S+) ( *)\|(-*)(\|?) +(.+)$/.exec(line) ?? []
    if (client === '') return []
    return [{ client, start: indent.length, end: close ? indent.length + dashes.length + 1 : null, label }]
  })
  const rules = lines.flatMap((line) => {
    const [, letter, rule] = /^([a-z]\d*) = (.+)$/.exec(line) ?? []
    return letter === undefined || rule === undefined ? [] : [[letter, rule] as const]
  })
  const end = Math.max(1, ...requests.map(({ start, end }) => end ?? start + 3))
  return { before, requests, rules, end }
}
