import type { Report } from '../../reports/report.ts'
import { parseProfile } from '../../simulator/plugin/profile/read-profile.ts'
import { detectAnswers, type ProbeEvidence } from '../probe/detect-answers.ts'
import { profileText } from '../probe/profile-text.ts'
import { readReport } from '../report/read-report.ts'

/** The answers and the confirmed faults of a judged server. @throws {UsageError} when the file is not a report */
export function readJudged(path: string) {
  const report = readReport(path)
  const { url, plugin, capacity = null } = report.target
  const detected = detectAnswers({ url, plugin, statedCapacity: capacity, outcomes: outcomesOf(report) })
  return {
    profile: parseProfile(profileText(detected), path),
    defects: report.diagnosis.filter(({ confirmed }) => confirmed).flatMap(({ defects }) => defects),
  }
}

function outcomesOf({ observations, requirements }: Report): ProbeEvidence['outcomes'] {
  const checks = requirements.flatMap((requirement) => requirement.checks)
  return [...observations, ...checks.map((check) => ({ ...check, check: check.id, answer: null }))]
}
