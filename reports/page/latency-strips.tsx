import { formatDuration, plural } from '../phrases.ts'
import type { Report, ResponseTime } from '../report.ts'
import { Section } from './section.tsx'

const width = 320
const height = 28
const viewBox = `0 0 ${width} ${height}`
/** The ends of the logarithmic scale. */
const [shortestMs, longestMs] = [0.1, 10_000]

/** The response times of each operation, most of them as a bar and the median as a line. */
export function LatencyStrips({ report: { responseTimes } }: { readonly report: Report }) {
  if (responseTimes.length === 0) return null
  return (
    <Section
      id="latency"
      title="Response times"
      note="Of all successful requests of the run. The line is the median, the bar ends at 95 % of the responses, the scale is logarithmic."
    >
      {responseTimes.map((time) => (
        <Strip key={time.operation} {...time} />
      ))}
      <div class="scale" aria-hidden="true">
        {['0.1 ms', '1 ms', '10 ms', '100 ms', '1 s', '10 s'].map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </div>
    </Section>
  )
}

/** Reports of earlier versions have only the median. */
function Strip({ operation, responses, medianMs, p95Ms = medianMs, maxMs = p95Ms }: ResponseTime) {
  const label = `median ${formatTime(medianMs)}, 95 % ${formatTime(p95Ms)}, max ${formatTime(maxMs)}`
  const [start, end] = [position(medianMs), position(p95Ms)]
  return (
    <div class="strip">
      <p>
        <b>{operation}</b>{' '}
        <small>
          {plural(responses, 'response')}, {label}
        </small>
      </p>
      <svg viewBox={viewBox} preserveAspectRatio="none" role="img" aria-label={`${operation}: ${label}`}>
        <rect x={start} width={end - start} height={height} />
        <line x1={start} x2={start} y2={height} />
      </svg>
    </div>
  )
}

function position(durationMs: number): number {
  const share = Math.log(durationMs / shortestMs) / Math.log(longestMs / shortestMs)
  return Math.min(Math.max(share, 0), 0.999) * width
}

const formatTime = (durationMs: number) =>
  durationMs < 10 ? `${durationMs.toFixed(1)} ms` : formatDuration(durationMs)
