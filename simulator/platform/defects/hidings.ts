import type { PlatformHiding } from './defect.ts'

/** Silent choices that hide more than one defect. */

/** What is wrong with the list is not seen where there is none. */
export const withoutList: readonly PlatformHiding[] = [{ answers: { 'platform.list.path': 'none' } }]

/** A list of few fields does not show the others. */
export const withFewFields: readonly PlatformHiding[] = [
  ...withoutList,
  { answers: { 'platform.list.fields': 'known' } },
]

/** A signature that is never checked cannot be checked wrongly. */
export const withoutSignatures: readonly PlatformHiding[] = [{ answers: { 'platform.signing.check': 'off' } }]

/** What is wrong with the body of an answer is not seen where there is none. */
export const withoutBody: readonly PlatformHiding[] = [{ answers: { 'platform.create.body': 'empty' } }]

/** An error that is no JSON cannot be JSON of a wrong kind. */
export const withPlainErrors: readonly PlatformHiding[] = [{ answers: { 'platform.errors.form': 'no-json' } }]
