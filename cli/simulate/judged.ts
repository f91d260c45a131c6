import { parseProfile } from '../../simulator/plugin/profile/read-profile.ts'
import { detectAnswers } from '../probe/detect-answers.ts'
import { profileText } from '../probe/profile-text.ts'
import { readReport } from '../report/read-report.ts'

/**
 * The answers and the re-enacted faults of a judged server, and the failures that none of these faults explains.
 * @throws {UsageError} when the file is not a report
 */
export function readJudged(path: string) {
  const report = readReport(path)
  const { url, plugin, capacity = null } = report.target
  const checks = report.requirements.flatMap((requirement) => requirement.checks)
  const outcomes = [...report.observations, ...checks.map((check) => ({ ...check, check: check.id, answer: null }))]
  const detected = detectAnswers({ url, plugin, statedCapacity: capacity, outcomes })
  return {
    profile: parseProfile(profileText(detected), path),
    unexplained: checks.filter(({ status, explainedBy }) => status === 'failed' && !explainedBy).map(({ id }) => id),
    defects: report.diagnosis.filter(({ reenacted }) => reenacted).flatMap(({ defects }) => defects),
  }
}
