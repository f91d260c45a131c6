import type { Requirement } from '../../spec/requirement.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'

/** The list of rules was not restored. */
export class LeftBehindError extends Error {
  override readonly name = 'LeftBehindError'
  readonly hint = 'The message says what differs and how to restore it.'
}

/** The target breaks a requirement. Vitest shows `expected` and `actual` side by side. */
export class FailedCheckError extends Error {
  override readonly name = 'FailedCheckError'
  readonly expected: string | null
  readonly actual: string | null
  /** The request with the wrong response as a shell command, the key as `$TCK_API_KEY`; null if it alone shows nothing. */
  readonly curl: string | null
  /** A shell script that shows the failure, or says why none can; null if nothing was sent. */
  readonly script: string | null
  readonly hint: string

  constructor(requirement: Requirement, { check, message, expected, actual, curl, script }: Outcome, seed: number) {
    const lines = [
      `${message}`,
      ...(expected === null ? [] : [`  expected: ${expected}`, `  actual:   ${actual}`]),
      `${requirement.id} (clause ${requirement.clause}, ${requirement.level}): ${requirement.statement}`,
      ...(curl === null ? [] : [`Send it again: ${curl}`]),
      ...(curl === null && script !== undefined ? [`Reproduce it with this script:\n${script}`] : []),
      `The seed was ${seed}.`,
    ]
    super(lines.join('\n'))
    this.expected = expected
    this.actual = actual
    this.curl = curl
    this.script = script ?? null
    this.hint = `copytrade-tck run --only ${check} --seed ${seed} shows every request of this check.`
  }
}
