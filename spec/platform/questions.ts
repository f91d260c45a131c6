import { accountQuestions } from './questions/account.ts'
import { platformAuthenticationQuestions } from './questions/authentication.ts'
import { creationQuestions } from './questions/creation.ts'
import { fieldQuestions } from './questions/fields.ts'
import { listQuestions } from './questions/list.ts'
import { platformPathQuestions } from './questions/paths-and-methods.ts'
import { signingQuestions } from './questions/signing.ts'

/** Every point that the specification of the platform API leaves open. */
export const platformQuestions = [
  ...accountQuestions,
  ...creationQuestions,
  ...fieldQuestions,
  ...listQuestions,
  ...platformAuthenticationQuestions,
  ...signingQuestions,
  ...platformPathQuestions,
] as const

export type PlatformQuestion = (typeof platformQuestions)[number]
export type PlatformQuestionId = PlatformQuestion['id']

/** The ids of the answers to a question, e.g. `'data' | 'bare' | 'empty'`. */
export type PlatformAnswer<Id extends PlatformQuestionId> = keyof Extract<PlatformQuestion, { id: Id }>['answers'] &
  string
