import type { Status } from '../suites/runner/outcome.ts'
import { levelCounts, plural } from './phrases.ts'
import type { Report, ReportedObservation, ReportedRequirement, Verdict } from './report.ts'

/** What a verdict follows from. */
interface Evidence {
  readonly requirements: readonly ReportedRequirement[]
  readonly observations: readonly ReportedObservation[]
  readonly scope: Pick<Report['scope'], 'strict' | 'complete'>
}

/** The verdict and the sentence that explains it. Silence never reads as success. */
export function judge(evidence: Evidence): { readonly verdict: Verdict; readonly explanation: string } {
  const failures = countingFailures(evidence)
  if (failures !== null) return { verdict: 'non-conformant', explanation: failures }
  const gaps = gapsIn(evidence)
  if (gaps !== null) return { verdict: 'incomplete', explanation: gaps }
  return { verdict: 'conformant', explanation: summaryOf(evidence) }
}

function countingFailures({ requirements, scope }: Evidence): string | null {
  const failed = requirements.filter(({ level, status }) => status === 'failed' && levelCounts(level, scope.strict))
  if (failed.length === 0) return null
  const first = failed.slice(0, 3).map((requirement) => requirement.id)
  const more = failed.length - first.length
  const kind = scope.strict ? 'requirement' : 'required requirement'
  const named = more > 0 ? `${first.join(', ')} and ${more} more` : first.join(', ')
  return `${plural(failed.length, kind)} failed: ${named}.`
}

function gapsIn({ requirements, observations, scope }: Evidence): string | null {
  const judged = [...requirements.flatMap((requirement) => requirement.checks), ...observations]
  const count = (status: Status) => judged.filter((one) => one.status === status).length
  // An observation has no requirement that could fail; its question stays unanswered.
  const unanswered = observations.filter((observation) => observation.status === 'failed').length
  const gaps = [
    ...(count('error') > 0 ? [`${plural(count('error'), 'check')} ended in an internal error`] : []),
    ...(count('blocked') > 0 ? [`${plural(count('blocked'), 'check')} could not be judged (blocked)`] : []),
    ...(unanswered > 0 ? [`${plural(unanswered, 'question')} could not be answered`] : []),
  ]
  if (gaps.length > 0) return `No counting failure, but ${gaps.join(' and ')}.`
  if (!requirements.some((requirement) => requirement.status === 'passed')) {
    return 'Nothing failed, but nothing passed either: the target was not judged.'
  }
  const outside = count('out-of-scope') + requirements.filter((requirement) => requirement.checks.length === 0).length
  if (!scope.complete || outside === 0) return null
  return `No counting failure, but ${plural(outside, 'check was', 'checks were')} out of scope, and \`--complete\` requires all of them.`
}

function summaryOf({ requirements }: Evidence): string {
  const count = (status: Status) => requirements.filter((requirement) => requirement.status === status).length
  const unjudged = count('out-of-scope') + count('not-applicable')
  const findings = count('failed')
  const passed = `${plural(count('passed'), 'requirement')} passed`
  const outside = unjudged > 0 ? `; ${unjudged} not judged (out of scope or not applicable)` : ''
  const lower = findings > 0 ? `; ${plural(findings, 'finding')} below the level \`required\`` : ''
  return `${passed}${outside}${lower}.`
}
