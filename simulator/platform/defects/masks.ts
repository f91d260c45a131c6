import type { PlatformMask } from './defect.ts'

/** Silent choices that hide more than one defect. */

/** What is wrong with the list is not seen where there is none. */
export const withoutList: readonly PlatformMask[] = [{ answers: { 'platform.list.path': 'none' } }]

/** An account that will be created later (202) may be missing from the list for a while. */
export const withoutTimelyList: readonly PlatformMask[] = [
  ...withoutList,
  { answers: { 'platform.create.status': '202' } },
]

/** A list of few fields does not show the others. */
export const withFewFields: readonly PlatformMask[] = [...withoutList, { answers: { 'platform.list.fields': 'known' } }]

/** A signature that is never checked cannot be checked wrongly. */
export const withoutSignatures: readonly PlatformMask[] = [{ answers: { 'platform.signing.check': 'off' } }]

/** What is wrong with the body of an answer is not seen where there is none. */
export const withoutBody: readonly PlatformMask[] = [{ answers: { 'platform.create.body': 'empty' } }]

/** An error that is no JSON cannot be JSON of a wrong kind. */
export const withPlainErrors: readonly PlatformMask[] = [{ answers: { 'platform.errors.form': 'no-json' } }]

/** Where no method is answered with 405, none can lack its header. */
export const without405: readonly PlatformMask[] = (['404', '400'] as const).flatMap((account) =>
  (['404', '204', '200'] as const).flatMap((options) =>
    (['allowed', '404'] as const).map((head) => ({
      answers: {
        'platform.method.account': account,
        'platform.method.options': options,
        'platform.method.head': head,
      },
    })),
  ),
)

/** Where unknown members are refused, nothing is ever read from a member such as __proto__. */
export const withStrictMembers: readonly PlatformMask[] = (['400', '422'] as const).map((answer) => ({
  answers: { 'platform.create.unknown-member': answer },
}))
