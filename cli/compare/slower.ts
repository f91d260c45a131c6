import { plural } from '../../reports/phrases.ts'
import type { Report } from '../../reports/report.ts'
import type { Change } from './change.ts'

/** Fewer requests say nothing about an operation; the paths of malformed ones are not operations at all. */
const leastRequests = 20
/** An operation is slower if its median grew by this factor and by this time: less is noise of the machine. */
const slower = { factor: 2, leastMs: 5 } as const

/** Operations whose median response time grew clearly between two runs. */
export function slowerOperations(old: Report, fresh: Report): readonly Change[] {
  const before = durationsByOperation(old)
  return Array.from(durationsByOperation(fresh), ([operation, durations]): Change[] => {
    const earlier = before.get(operation) ?? []
    if (Math.min(earlier.length, durations.length) < leastRequests) return []
    const [was, is] = [median(earlier), median(durations)]
    if (is < was * slower.factor || is - was < slower.leastMs) return []
    const about = `median of ${plural(durations.length, 'request')}, ${earlier.length} before`
    return [{ kind: 'slower', subject: operation, about, before: ms(was), after: ms(is) }]
  }).flat()
}

const ms = (duration: number) => `${duration.toFixed(1)} ms`

function durationsByOperation({ requirements }: Report): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const { request, response, durationMs } of requirements.flatMap(({ checks }) =>
    checks.flatMap(({ exchanges }) => exchanges),
  )) {
    // A rejected request does less work.
    if (response === null || response.status >= 400) continue
    const operation = `${request.method} ${pathOf(request.url)}`
    const durations = found.get(operation) ?? []
    durations.push(durationMs)
    found.set(operation, durations)
  }
  return found
}

/** The path with `{n}` for each number, without the query. */
function pathOf(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#].*$/, '')
  return path.replaceAll(/(?<=\/)\d+(?=\/|$)/g, '{n}')
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
