import type { z } from 'zod'

/** Says which members are wrong and why, e.g. `effect.ms: Invalid input: expected number, received undefined`. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`))
    .join('; ')
}
