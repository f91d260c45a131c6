import { plural } from '../../reports/phrases.ts'
import type { Report } from '../../reports/report.ts'
import type { Change } from './change.ts'

/** Fewer responses say nothing about an operation. */
const leastResponses = 20
/** An operation is slower if its median grew by this factor and by this time: less is noise of the machine. */
const slower = { factor: 2, leastMs: 5 } as const

/** Operations whose median response time grew clearly between two runs. */
export function slowerOperations(old: Report, fresh: Report): readonly Change[] {
  const before = new Map(old.responseTimes.map((one) => [one.operation, one]))
  return fresh.responseTimes.flatMap(({ operation, responses, medianMs }): Change[] => {
    const earlier = before.get(operation)
    if (earlier === undefined || Math.min(earlier.responses, responses) < leastResponses) return []
    if (medianMs < earlier.medianMs * slower.factor || medianMs - earlier.medianMs < slower.leastMs) return []
    const about = `median of ${plural(responses, 'response')}, ${earlier.responses} before`
    return [{ kind: 'slower', subject: operation, about, before: ms(earlier.medianMs), after: ms(medianMs) }]
  })
}

const ms = (duration: number) => `${duration.toFixed(1)} ms`
