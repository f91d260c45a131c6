import type { Status } from '../suites/runner/outcome.ts'

/** `partly-judged` means that some checks of the requirement passed and others were out of scope. */
export type RequirementStatus = Status | 'partly-judged'

/** A requirement has the worst status of its checks; a judged status comes before an unjudged one. */
const worstFirst: readonly Status[] = ['failed', 'error', 'blocked', 'passed', 'out-of-scope', 'not-applicable']

/** The status of a requirement with these checks. */
export function requirementStatus(checks: readonly { readonly status: Status }[]): RequirementStatus {
  const has = (status: Status) => checks.some((check) => check.status === status)
  const worst = worstFirst.find(has) ?? 'out-of-scope'
  return worst === 'passed' && has('out-of-scope') ? 'partly-judged' : worst
}
