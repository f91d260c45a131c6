import { accountQuestions } from './platform/account.ts'
import { platformAuthenticationQuestions } from './platform/authentication.ts'
import { creationQuestions } from './platform/creation.ts'
import { fieldQuestions } from './platform/fields.ts'
import { listQuestions } from './platform/list.ts'
import { platformPathQuestions } from './platform/paths-and-methods.ts'
import { signingQuestions } from './platform/signing.ts'

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
