import type { Exchange } from '../client/exchange.ts'
import { type FailureData, isExcerpt, type Json } from './failure-data.ts'
import { type FailureCode, type FailureText, failureTexts } from './failure-texts.ts'

/** A step towards a failure: an exchange, or a string that describes an action between requests. */
export type FailureStep = Exchange | string

/** What a failure carries besides its data, so that it can be reproduced. */
type FailureEvidence = Partial<Pick<FailedExpectation, 'steps' | 'exchange'>>

/** The target violates a requirement. This is the only verdict against it. */
export class FailedExpectation extends Error {
  override readonly name = 'FailedExpectation'
  readonly code: FailureCode
  readonly data: FailureData
  /** The expected value as text. */
  readonly expected: string
  readonly actual: string
  /** All steps needed to reproduce the failure, if the last request alone does not show it; otherwise empty. */
  readonly steps: readonly FailureStep[]
  /** The exchange that the failure is about; null if it is about several, or simply the last one. */
  readonly exchange: Exchange | null

  constructor(code: FailureCode, data: FailureData, { steps = [], exchange = null }: FailureEvidence = {}) {
    const { message, expected, actual } = renderFailure(code, data)
    super(message)
    this.code = code
    this.data = data
    this.expected = expected
    this.actual = actual
    this.steps = steps
    this.exchange = exchange
  }

  /** The same failure with more data or other evidence. */
  with(further: Partial<FailureData>, evidence: FailureEvidence = {}): FailedExpectation {
    const { steps, exchange } = this
    return new FailedExpectation(this.code, { ...this.data, ...further }, { steps, exchange, ...evidence })
  }
}

export function failureOf(expectation: () => void): FailedExpectation | null {
  try {
    expectation()
    return null
  } catch (error) {
    if (error instanceof FailedExpectation) return error
    throw error
  }
}

/** What a check needs could not be arranged, because something failed that another check judges. It is `blocked`. */
export class CannotArrange extends Error {
  override readonly name: string = 'CannotArrange'
}

/** The target does not allow the check to run, e.g. because its list is full. The message says why. */
export class OutOfScope extends Error {
  override readonly name = 'OutOfScope'
}

/** The target lacks an optional feature that the check is about. The message says which. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** The message of a failure and its two sides, from its code and data only. */
export function renderFailure(
  code: FailureCode,
  data: FailureData,
  texts: Readonly<Record<FailureCode, FailureText>> = failureTexts,
) {
  const [message, expected = '{expected}', actual = '{actual}'] = texts[code]
  const fill = (template: string) => template.replace(/\{(\w+)\}/g, (_, name: string) => showValue(data[name]))
  const { after, seed } = data
  const origin = after === undefined ? '' : `After ${after}: `
  const replay = seed === undefined ? '' : ` Random: reproduce it with \`--seed ${seed}\`.`
  return { message: `${origin}${fill(message)}${replay}`, expected: fill(expected), actual: fill(actual) }
}

function showValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === '') return '(empty)'
  if (typeof value === 'string') return value
  if (!isExcerpt(value)) return JSON.stringify(value)
  const { length, from, lines } = value
  const rest = length - from - lines.length
  const shown = lines.map((line, at) => `[${from + at}] ${line}`)
  return [`${length} rules`, ...(from > 0 ? ['…'] : []), ...shown, ...(rest > 0 ? ['…'] : [])].join('\n')
}

/** Adds to a failure what was sent or done before it. */
export async function after<Result>(what: string, look: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof FailedExpectation)) throw error
    throw error.with({ after: what })
  }
}
