import type { Effect, EffectKind, Fault } from './fault.ts'

/** A fault that could never be played. */
export class InvalidFaultError extends Error {
  override readonly name = 'InvalidFaultError'
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

const noTerms: readonly string[] = []

/** The kinds of effects, each with the numbers that it needs. */
const numbersOf: Readonly<Record<EffectKind, readonly string[]>> = {
  'answer': ['status'],
  'delay': ['ms'],
  'slow-body': ['msPerByte'],
  'truncate': noTerms,
  'bad-chunk': noTerms,
  'lose-answer': noTerms,
  'reset': noTerms,
  'empty': noTerms,
  'garbage': noTerms,
  'hang': noTerms,
  'disk-full': noTerms,
  'permission-denied': noTerms,
  'torn-write': noTerms,
  'crash': noTerms,
}

export const effectKinds = Object.keys(numbersOf) as readonly EffectKind[]
export const crashSteps = ['before-write', 'mid-write', 'before-rename', 'after-rename'] as const

/** The longest that a timer can wait. */
export const maxMs = 2 ** 31 - 1

/** @throws InvalidFaultError */
export function checkFault({ effect, when = {}, skip, times, probability, seed }: Fault): void {
  const numbers = numbersOf[effect?.kind]
  if (numbers === undefined) {
    throw new InvalidFaultError(`There is no effect ${String(effect?.kind)}.`, `There are: ${effectKinds.join(', ')}.`)
  }
  const given: Readonly<Record<string, unknown>> = { ...effect }
  for (const name of numbers) expectCount(`effect.${name}`, given[name])
  if (effect.kind === 'answer') checkAnswer(effect)
  if (effect.kind === 'crash' && !crashSteps.includes(effect.at)) {
    throw new InvalidFaultError(`effect.at is no step: ${effect.at}.`, `There are: ${crashSteps.join(', ')}.`)
  }
  if (skip !== undefined) expectCount('skip', skip)
  if (times !== undefined && times !== Number.POSITIVE_INFINITY) expectCount('times', times)
  if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
    throw new InvalidFaultError(`probability is ${probability}.`, 'Give a number from 0 to 1.')
  }
  if (seed !== undefined && !Number.isSafeInteger(seed)) {
    throw new InvalidFaultError(`seed is ${seed}.`, 'Give a whole number.')
  }
  checkPattern(when.pathPattern)
}

function checkAnswer({ status, headers = {} }: Extract<Effect, { kind: 'answer' }>): void {
  if (status < 200 || status > 599)
    throw new InvalidFaultError(`effect.status is ${status}.`, 'Give one from 200 to 599.')
  const wrong = Object.entries(headers).find(
    ([name, value]) => !/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  )
  if (wrong !== undefined) {
    throw new InvalidFaultError(`The header ${JSON.stringify(wrong[0])} cannot be sent.`, 'Use printable characters.')
  }
}

function expectCount(name: string, value: unknown): void {
  if (Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= maxMs) return
  throw new InvalidFaultError(`${name} is ${String(value)}.`, `Give a whole number from 0 to ${maxMs}.`)
}

function checkPattern(pattern: string | undefined): void {
  try {
    new RegExp(pattern ?? '')
  } catch (error) {
    throw new InvalidFaultError(
      `when.pathPattern is no regular expression: ${(error as Error).message}`,
      'Escape what has a meaning of its own, as in ^/api/rules/\\d+$.',
    )
  }
}
