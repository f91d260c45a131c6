import type { Report } from '../../reports/report.ts'
import type { ProfileDocument } from '../../simulator/plugin/profile/profile-document.ts'
import { parseProfile } from '../../simulator/plugin/profile/read-profile.ts'
import { type Evidence, learn } from '../probe/learn.ts'
import { profileText } from '../probe/profile-text.ts'
import { readReport } from '../report/read-report.ts'

export interface Judged {
  readonly profile: ProfileDocument
  /** Ids of the confirmed faults. */
  readonly defects: readonly string[]
}

/** @throws {UsageError} when the file is not a report */
export function readJudged(path: string): Judged {
  const report = readReport(path)
  const { url, plugin, capacity = null } = report.target
  const learned = learn({ url, plugin, statedCapacity: capacity, outcomes: outcomesOf(report) })
  return {
    profile: parseProfile(profileText(learned), path),
    defects: report.diagnosis.filter(({ confirmed }) => confirmed).flatMap(({ defects }) => defects),
  }
}

function outcomesOf({ observations, requirements }: Report): Evidence['outcomes'] {
  const checks = requirements.flatMap((requirement) => requirement.checks)
  return [...observations, ...checks.map((check) => ({ ...check, check: check.id, answer: null }))]
}
