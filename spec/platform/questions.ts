import { accountQuestions } from './questions/account.ts'
import { platformAuthenticationQuestions } from './questions/authentication.ts'
import { creationQuestions } from './questions/creation.ts'
import { fieldQuestions } from './questions/fields.ts'
import { listQuestions } from './questions/list.ts'
import { platformPathQuestions } from './questions/paths-and-methods.ts'
import { signingQuestions } from './questions/signing.ts'

/** Every point about the platform API on which the specification is silent. */
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

/** The answers that a question allows, e.g. `'data' | 'bare' | 'empty'`. */
export type PlatformAnswer<Id extends PlatformQuestionId> = Extract<
  keyof Extract<PlatformQuestion, { id: Id }>['answers'],
  string
>
