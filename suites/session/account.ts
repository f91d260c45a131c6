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

/** Creates drafts of the kit's accounts. The name shows the owner; name and balance are unique. */
export function createAccountDrafts(
  label: string,
  group: string,
  { currency = 'USD', leverage = 100 }: AccountTerms = {},
): (changes?: Partial<AccountDraft>) => AccountDraft {
  let count = 0
  return (changes) => {
    count += 1
    return { name: `${label} ${count}`, group, leverage, currency, balance: 10_000 + count, ...changes }
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
