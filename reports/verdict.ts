import type { Status } from '../suites/runner/outcome.ts'
import type { Report, ReportedObservation, ReportedRequirement, Verdict } from './report.ts'
import { levelCounts, plural } from './wording.ts'

/** What a verdict is formed from. */
interface Evidence {
  readonly requirements: readonly ReportedRequirement[]
  readonly observations: readonly ReportedObservation[]
  readonly scope: Pick<Report['scope'], 'strict' | 'complete'>
}

/** The verdict and the sentence that explains it. Silence never reads as success. */
export function judge(evidence: Evidence): { readonly verdict: Verdict; readonly explanation: string } {
  const failures = failuresThatCount(evidence)
  if (failures !== null) return { verdict: 'non-conformant', explanation: failures }
  const gaps = whatIsMissing(evidence)
  if (gaps !== null) return { verdict: 'incomplete', explanation: gaps }
  return { verdict: 'conformant', explanation: whatHolds(evidence) }
}

function failuresThatCount({ requirements, scope }: Evidence): string | null {
  const failed = requirements.filter(({ level, status }) => status === 'failed' && levelCounts(level, scope.strict))
  if (failed.length === 0) return null
  const first = failed.slice(0, 3).map((requirement) => requirement.id)
  const more = failed.length - first.length
  const kind = scope.strict ? 'requirement' : 'required requirement'
  const named = more > 0 ? `${first.join(', ')} and ${more} more` : first.join(', ')
  return `${plural(failed.length, kind)} failed: ${named}.`
}

function whatIsMissing({ requirements, observations, scope }: Evidence): string | null {
  const judged = [...requirements.flatMap((requirement) => requirement.checks), ...observations]
  const count = (status: Status) => judged.filter((one) => one.status === status).length
  // A question answered by a broken expectation has no requirement to fail, and is still not answered.
  const unanswered = observations.filter((observation) => observation.status === 'failed').length
  const gaps = [
    ...(count('error') > 0 ? [`${plural(count('error'), 'check')} ended in an error of the kit`] : []),
    ...(count('blocked') > 0 ? [`${plural(count('blocked'), 'check')} could not be judged (blocked)`] : []),
    ...(unanswered > 0 ? [`${plural(unanswered, 'question')} could not be answered`] : []),
  ]
  if (gaps.length > 0) return `Nothing failed that counts, but ${gaps.join(' and ')}.`
  if (!requirements.some((requirement) => requirement.status === 'passed')) {
    return 'Nothing failed that counts, but nothing passed either, so nothing is known about the target.'
  }
  const outside = count('out-of-scope') + requirements.filter((requirement) => requirement.checks.length === 0).length
  if (!scope.complete || outside === 0) return null
  return `Nothing failed that counts, but ${plural(outside, 'check')} were out of scope and a complete run was demanded.`
}

function whatHolds({ requirements }: Evidence): string {
  const count = (status: Status) => requirements.filter((requirement) => requirement.status === status).length
  const unjudged = count('out-of-scope') + count('not-applicable')
  const findings = count('failed')
  const held = `${plural(count('passed'), 'requirement holds', 'requirements hold')} within the scope that was run`
  const aside = unjudged > 0 ? `; ${unjudged} outside it were not judged` : ''
  const lower = findings > 0 ? `; ${plural(findings, 'finding')} below the level required` : ''
  return `${held}${aside}${lower}.`
}
