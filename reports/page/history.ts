export type History = NonNullable<ReturnType<typeof historyIn>>

/**
 * Overlapping requests, as the timeline of the checks of concurrency and durability describes them; null for any other
 * text. Moments are ordinal numbers, not times.
 */
export function historyIn(text: string | null) {
  const [first = '', ...lines] = (text ?? '').split('\n')
  const before = /^list before: (.*)$/.exec(first)?.[1]
  if (before === undefined) return null
  const requests = lines.flatMap((line) => {
    const [, client = '', indent = '', dashes = '', close, label = ''] =
      /^(\S+) ( *)\|(-*)(\|?) +(.+)$/.exec(line) ?? []
    if (client === '') return []
    // A request without a response has no end.
    return [{ client, start: indent.length, end: close ? indent.length + dashes.length + 1 : null, label }]
  })
  const rules = lines.flatMap((line) => {
    const [, letter, rule] = /^([a-z]\d*) = (.+)$/.exec(line) ?? []
    return letter === undefined || rule === undefined ? [] : [[letter, rule] as const]
  })
  const end = Math.max(1, ...requests.map(({ start, end }) => end ?? start + 3))
  /** `before` has the letters of the rules in the list before the first request, `rules` what each letter stands for. */
  return { before, requests, rules, end }
}
