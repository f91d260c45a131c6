import type { Requirement } from '../../spec/requirement.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'

/** The target breaks a requirement. Vitest shows `expected` and `actual` side by side. */
export class FailedCheckError extends Error {
  override readonly name = 'FailedCheckError'
  readonly expected: string | null
  readonly actual: string | null
  /** The last request as a shell command, the key as `$TCK_API_KEY`; null where curl cannot send it. */
  readonly curl: string | null
  readonly hint: string

  constructor(requirement: Requirement, { check, message, expected, actual, curl }: Outcome, seed: number) {
    const lines = [
      `${message}`,
      ...(expected === null ? [] : [`  expected: ${expected}`, `  actual:   ${actual}`]),
      `${requirement.id} (clause ${requirement.clause}, ${requirement.level}): ${requirement.statement}`,
      ...(curl === null ? [] : [`Send it again: ${curl}`]),
      `The seed was ${seed}.`,
    ]
    super(lines.join('\n'))
    this.expected = expected
    this.actual = actual
    this.curl = curl
    this.hint = `copytrade-tck run --only ${check} --seed ${seed} shows every request of this check.`
  }
}
