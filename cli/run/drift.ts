import type { DriftedAnswer, DriftRecord, Report, ReportedObservation } from '../../reports/report.ts'
import type { ProfileDocument } from '../../simulator/index.ts'
import { changedAnswers } from '../baseline/diff.ts'

/** The comparison of a run with a profile. */
export interface Comparison {
  /** Question to the answer of the profile. */
  readonly answers: Readonly<Record<string, string>>
  /** Puts into a report how its answers compare with those of the profile. */
  readonly compare: (report: Report) => Report
}

/**
 * Reads the profile, before anything is sent; without one, reports stay as they are.
 *
 * @throws {InvalidProfileError} when the file is not as it should be
 */
export async function openComparison(path: string | null): Promise<Comparison> {
  if (path === null) return { answers: {}, compare: (report) => report }
  const { readProfile } = await import('../../simulator/index.ts')
  const document = readProfile(path)
  return {
    answers: document.options.profile,
    compare: (report) => ({ ...report, drift: compare(report.observations, document, path) }),
  }
}

/** Whether drift turns the run red: it is no failure of a requirement, so only `--strict` counts it. */
export function driftCounts({ drift, scope }: Report): boolean {
  return scope.strict && (drift?.findings.length ?? 0) > 0
}

function compare(
  observations: readonly ReportedObservation[],
  { options }: ProfileDocument,
  profile: string,
): DriftRecord {
  const seen = new Set(observations.filter(({ status }) => status === 'passed').map(({ question }) => question))
  const expected = Object.entries(options.profile)
  const changed = new Map(changedAnswers(new Map(expected), observations).map((one) => [one.question, one]))
  const findings = expected.flatMap(([question, answer]): DriftedAnswer[] => {
    const observation = changed.get(question)
    return observation === undefined ? [] : [findingOf(observation, answer)]
  })
  const unanswered = expected.map(([question]) => question).filter((question) => !seen.has(question))
  return { profile, agreeing: expected.length - unanswered.length - findings.length, unanswered, findings }
}

function findingOf({ question, check, clause, text, answer, message }: ReportedObservation, expected: string) {
  return { question, check, clause, text, expected, answer, message }
}
