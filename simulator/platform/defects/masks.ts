import type { PlatformMask } from './defect.ts'

/** Profile answers that mask more than one defect. */

/** Without a list, its defects cannot be observed. */
export const withoutList: readonly PlatformMask[] = [{ answers: { 'platform.list.path': 'none' } }]

/** An account that is created later (202) may be missing from the list for a while. */
export const withDelayedCreation: readonly PlatformMask[] = [
  ...withoutList,
  { answers: { 'platform.create.status': '202' } },
]

/** A list with few fields does not show the others. */
export const withFewFields: readonly PlatformMask[] = [...withoutList, { answers: { 'platform.list.fields': 'known' } }]

/** A balance of 0 that is rejected is never stored. */
export const withoutZeroBalance: readonly PlatformMask[] = [
  ...withoutList,
  ...(['400', '422'] as const).map((answer) => ({ answers: { 'platform.create.balance-zero': answer } })),
]

/** HEAD that is not allowed never succeeds. */
export const withoutHead: readonly PlatformMask[] = (['405', '404'] as const).map((answer) => ({
  answers: { 'platform.method.head': answer },
}))

/** If a slash at the end makes another path, it never succeeds. */
export const withoutSlash: readonly PlatformMask[] = (['unknown', 'redirected'] as const).map((answer) => ({
  answers: { 'platform.path.trailing-slash': answer },
}))

/** A signature that is never checked cannot be checked incorrectly. */
export const withoutSignatures: readonly PlatformMask[] = [{ answers: { 'platform.signing.check': 'off' } }]

/** Without a response body, its defects cannot be observed. */
export const withoutBody: readonly PlatformMask[] = [{ answers: { 'platform.create.body': 'empty' } }]

/** An error response that is not JSON has no JSON to be wrong. */
export const withPlainErrors: readonly PlatformMask[] = [{ answers: { 'platform.errors.form': 'no-json' } }]

/** If no method gets 405, no 405 can lack its Allow header. */
export const without405: readonly PlatformMask[] = (['404', '400'] as const).flatMap((account) =>
  (['404', '204', '200'] as const).flatMap((options) =>
    (['allowed', '404'] as const).map((head) => ({
      answers: { 'platform.method.account': account, 'platform.method.options': options, 'platform.method.head': head },
    })),
  ),
)

/** If unknown members are rejected, a member such as __proto__ is never read. */
export const withStrictMembers: readonly PlatformMask[] = (['400', '422'] as const).map((answer) => ({
  answers: { 'platform.create.unknown-member': answer },
}))
