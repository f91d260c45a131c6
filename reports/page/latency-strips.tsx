import { useMemo } from 'preact/hooks'
import { formatDuration, plural } from '../phrases.ts'
import type { Report } from '../report.ts'
import { type Latency, latencies } from './operations.ts'
import { Section } from './section.tsx'

const width = 320
const height = 28
const bins = 80
/** The ends of the logarithmic scale. */
const [shortestMs, longestMs] = [0.1, 10_000]

/** The response times of each operation. The more responses fall into a column, the darker it is. */
export function LatencyStrips({ report }: { readonly report: Report }) {
  const found = useMemo(() => latencies(report), [report])
  if (found.length === 0) return null
  return (
    <Section
      id="latency"
      title="Response times"
      note="Of the exchanges that this report holds: the darker, the more responses took that long. The line is the median, the scale is logarithmic."
    >
      {found.map((latency) => (
        <Strip key={latency.operation} latency={latency} />
      ))}
      <div class="scale" aria-hidden="true">
        {['0.1 ms', '1 ms', '10 ms', '100 ms', '1 s', '10 s'].map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </div>
    </Section>
  )
}

function Strip({ latency: { operation, durationsMs } }: { readonly latency: Latency }) {
  const at = (share: number) =>
    durationsMs[Math.min(durationsMs.length - 1, Math.floor(durationsMs.length * share))] ?? 0
  const [median, late, longest] = [at(0.5), at(0.95), at(1)]
  const counts = countByBin(durationsMs)
  const most = Math.max(...counts.values())
  const label = `median ${formatTime(median)}, 95 % ${formatTime(late)}, max ${formatTime(longest)}`
  return (
    <div class="strip">
      <p>
        <b>{operation}</b>{' '}
        <small>
          {plural(durationsMs.length, 'response')}, {label}
        </small>
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${operation}: ${label}`}
      >
        {Array.from(counts, ([bin, count]) => (
          <rect
            key={bin}
            x={(bin * width) / bins}
            width={width / bins - 0.5}
            height={height}
            opacity={0.25 + 0.75 * Math.sqrt(count / most)}
          />
        ))}
        <line x1={position(median) * width} x2={position(median) * width} y2={height} />
      </svg>
    </div>
  )
}

function countByBin(durationsMs: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const duration of durationsMs) {
    const bin = Math.floor(position(duration) * bins)
    counts.set(bin, (counts.get(bin) ?? 0) + 1)
  }
  return counts
}

/** The position of a time on the scale, from 0 to below 1. */
function position(durationMs: number): number {
  const share = Math.log(durationMs / shortestMs) / Math.log(longestMs / shortestMs)
  return Math.min(Math.max(share, 0), 0.999)
}

const formatTime = (durationMs: number) =>
  durationMs < 10 ? `${durationMs.toFixed(1)} ms` : formatDuration(durationMs)
