import { Facts } from './section.tsx'

interface Given {
  readonly history: NonNullable<ReturnType<typeof historyIn>>
  readonly expected: string | null
}

const rowHeight = 24
const width = 320

/** Overlapping requests as bars from request to response. A bar without an end was cut off by a crash. */
export function HistoryPicture({ history, expected }: Given) {
  const { before, requests, rules, end } = history
  const clients = [...new Set(requests.map(({ client }) => client))]
  const at = (moment: number) => (moment / end) * (width - 4) + 2
  return (
    <div class="history">
      <p>
        <b>Expected:</b> {expected}.
      </p>
      <p class="note">List before: {before}</p>
      <ol>
        {requests.map(({ client, start, end: stop, label }, row) => (
          <li key={row}>
            <b>{client}</b>
            <svg width={width} height={rowHeight} viewBox={`0 0 ${width} ${rowHeight}`} aria-hidden="true">
              <rect
                class={stop === null ? 'open' : `client-${clients.indexOf(client) % 3}`}
                x={at(start)}
                y={5}
                width={Math.max(4, at(stop ?? end) - at(start))}
                height={rowHeight - 10}
              />
            </svg>
            <span>{label}</span>
          </li>
        ))}
      </ol>
      <p class="note">
        Time runs to the right. A dashed bar got no response: the server was killed, or it did not answer.
      </p>
      <Facts facts={rules.map(([letter, code]) => [letter, { code }])} />
    </div>
  )
}

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
