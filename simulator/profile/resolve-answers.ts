import type { Question } from '../../spec/question.ts'
import { didYouMean } from '../documents/nearest.ts'

/** A profile has an unknown question. */
export class UnknownQuestionError extends Error {
  override readonly name = 'UnknownQuestionError'
  readonly hint = 'List the questions with `copytrade-tck questions`.'

  constructor(key: string, ids: readonly string[]) {
    super(`There is no question "${key}".${didYouMean(key, ids)}`)
  }
}

/** A profile has an answer that its question does not allow. */
export class UnknownAnswerError extends Error {
  override readonly name = 'UnknownAnswerError'
  readonly hint: string

  constructor(key: string, answer: unknown, allowed: readonly string[]) {
    super(`"${String(answer)}" is no answer to "${key}". Its answers are: ${allowed.join(', ')}.`)
    this.hint = `Answer "${key}" with one of: ${allowed.join(', ')}.`
  }
}

/** The default answer to each of the questions. */
export function defaultAnswers(questions: readonly Question[]): Readonly<Record<string, string>> {
  return Object.freeze(Object.fromEntries(questions.map(({ id, default: answer }) => [id, answer])))
}

/**
 * An answer for every question: those that `partial` leaves out, or answers with `undefined`, get their default.
 * @throws UnknownQuestionError, UnknownAnswerError: both name the key and the valid spelling.
 */
export function resolveAnswers(questions: readonly Question[], partial: object): Readonly<Record<string, string>> {
  const ids = questions.map(({ id }) => id)
  const given = Object.entries(partial).filter(([, answer]) => answer !== undefined)
  for (const [key, answer] of given) {
    const question = questions.find(({ id }) => id === key)
    if (question === undefined) throw new UnknownQuestionError(key, ids)
    const allowed = Object.keys(question.answers)
    if (!allowed.includes(answer)) throw new UnknownAnswerError(key, answer, allowed)
  }
  return Object.freeze({ ...defaultAnswers(questions), ...Object.fromEntries(given) })
}
