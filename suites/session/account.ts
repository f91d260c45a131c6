import { CannotArrange, OutOfScope } from '../assertions/failure.ts'
import type { HttpResponse } from '../client/response.ts'
import { toJson } from './plugin.ts'

/** A trading account as sent on creation (clause 2.2). */
export interface AccountDraft {
  readonly name: string
  readonly group: string
  readonly leverage: number
  readonly currency: string
  readonly balance: number
}

/** What the user states about accounts that the platform accepts. */
export type AccountTerms = Partial<Pick<AccountDraft, 'currency' | 'leverage'>>

/** Creates drafts of the kit's accounts. The name shows the owner; name and balance are unique. All names are equally long. */
export function createAccountDrafts(
  label: string,
  group: string,
  { currency = 'USD', leverage = 100 }: AccountTerms = {},
): (changes?: Partial<AccountDraft>) => AccountDraft {
  let count = 0
  return (changes) => {
    count += 1
    return {
      name: `${label} ${String(count).padStart(3, '0')}`,
      group,
      leverage,
      currency,
      balance: 10_000 + count,
      ...changes,
    }
  }
}

/** The JSON text of an account with some members replaced, added, or left out (`undefined`). */
export function accountText(draft: AccountDraft, changes: Readonly<Record<string, unknown>> = {}): string {
  return toJson({ ...draft, ...changes })
}

/**
 * Bodies from which no JSON parser reads a whole account, each made from one that would be accepted. A parser may accept
 * extensions such as a trailing comma (RFC 8259, 9).
 */
export function invalidBodies(draft: AccountDraft): readonly string[] {
  const text = accountText(draft)
  return ['', text.slice(0, -1), text.slice(0, text.length / 2), new URLSearchParams(JSON.parse(text)).toString()]
}

/** Bodies that are JSON but not an object. */
export function otherBodies(draft: AccountDraft): readonly string[] {
  return ['[]', toJson([draft]), toJson(accountText(draft)), '"text"', '1', 'true', 'null']
}

/** Statuses of a platform that creates no account now, since a limit is reached or the key may only read. */
const atLimit = [402, 403, 409]

/** Of a platform that says in its response that there may be no further account. */
const namedLimit = [422, 507]

/** Throws `OutOfScope` if a further account may be over a limit (clause 8). Only `create.every-time` judges a 409. */
export function rejectAtLimit({ status, text }: HttpResponse, limits: readonly number[] = atLimit): void {
  const isNamed = namedLimit.includes(status) && /accounts?\W*_?(limit|quota)|limit\W*_?(reached|exceeded)/i.test(text)
  if (isNamed || limits.includes(status)) throw new OutOfScope(`no further account may be created: ${status} ${text}`)
}

/** Statuses of a platform that cannot create this account, though it may create others. */
const unacceptable = [...atLimit, 400, 422]

/**
 * Throws `CannotArrange` if a platform may reject this account: for a limit, or for its group, currency or leverage, of
 * which only the user knows what the platform accepts.
 */
export function requireCreatable(
  { areTermsStated, owned }: Readonly<Record<'areTermsStated' | 'owned', boolean>>,
  { group, currency, leverage }: AccountDraft,
  { status, text }: HttpResponse,
): void {
  const isForGroup = !owned && status === 404 && /group/i.test(text)
  if (!isForGroup && !(areTermsStated ? atLimit : unacceptable).includes(status)) return
  const terms = `an account in ${currency} with leverage ${leverage} in the group ${group}`
  const advice = isForGroup
    ? 'check `--group`'
    : areTermsStated
      ? 'check the limit of accounts and the rights of the key'
      : 'state what it accepts with `--currency` and `--leverage`'
  throw new CannotArrange(`the platform does not create ${terms}, ${advice}: ${status} ${text}`)
}
