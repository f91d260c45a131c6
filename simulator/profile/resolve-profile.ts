import { pluginQuestions } from '../../spec/questions/plugin.ts'
import { nearest } from './nearest.ts'
import { defaultProfile, type Profile } from './profile.ts'

/** A profile names a question that does not exist. */
export class UnknownQuestionError extends Error {
  override readonly name = 'UnknownQuestionError'
  readonly key: string
  readonly hint: string

  constructor(key: string) {
    const meant = nearest(key, ids)
    super(`There is no question "${key}". Did you mean "${meant}"?`)
    this.key = key
    this.hint = `Use one of the question ids of spec/questions, e.g. "${meant}".`
  }
}

/** A profile gives a question an answer that the question does not allow. */
export class UnknownAnswerError extends Error {
  override readonly name = 'UnknownAnswerError'
  readonly key: string
  readonly hint: string

  constructor(key: string, answer: unknown, allowed: readonly string[]) {
    super(`"${String(answer)}" is no answer to "${key}". Its answers are: ${allowed.join(', ')}.`)
    this.key = key
    this.hint = `Answer "${key}" with one of: ${allowed.join(', ')}.`
  }
}

const ids: readonly string[] = pluginQuestions.map(({ id }) => id)
const answersById = new Map<string, readonly string[]>(
  pluginQuestions.map(({ id, answers }) => [id, Object.keys(answers)]),
)

/**
 * The profile with all questions answered: those that `partial` leaves out, or answers with
 * `undefined`, get their default.
 *
 * @throws UnknownQuestionError, UnknownAnswerError: both name the key and the valid spelling.
 */
export function resolveProfile(partial: Partial<Profile> = {}): Profile {
  const given = Object.entries(partial).filter(([, answer]) => answer !== undefined)
  for (const [key, answer] of given) {
    const allowed = answersById.get(key)
    if (allowed === undefined) throw new UnknownQuestionError(key)
    if (!allowed.includes(answer)) throw new UnknownAnswerError(key, answer, allowed)
  }
  return Object.freeze({ ...defaultProfile, ...Object.fromEntries(given) })
}
