import type { DriftedAnswer, Report, ReportedObservation } from '../../reports/report.ts'
import type { ProfileDocument } from '../../simulator/index.ts'

/** Reads the profile before anything is sent. Without one, reports are not changed. @throws {InvalidProfileError} */
export async function openComparison(path: string | null) {
  if (path === null) return { answers: {}, compare: (report: Report) => report }
  const { readProfile } = await import('../../simulator/index.ts')
  const document = readProfile(path)
  return {
    /** The answers of the profile by question. */
    answers: document.options.profile,
    /** Adds the differences from the profile to a report. */
    compare: (report: Report): Report => ({ ...report, drift: compare(report.observations, document, path) }),
  }
}

function compare(observations: readonly ReportedObservation[], { options }: ProfileDocument, profile: string) {
  const seen = new Map(observations.filter(({ status }) => status === 'passed').map((one) => [one.question, one]))
  const expected = Object.entries(options.profile)
  const findings = expected.flatMap(([question, answer]): DriftedAnswer[] => {
    const observation = seen.get(question)
    if (observation === undefined || observation.answer === answer) return []
    const { check, clause, text, message } = observation
    return [{ question, check, clause, text, expected: answer, answer: observation.answer, message }]
  })
  const unanswered = expected.map(([question]) => question).filter((question) => !seen.has(question))
  return { profile, agreeing: expected.length - unanswered.length - findings.length, unanswered, findings }
}
