/** A trading account as sent on creation (clause 2.2). */
export interface AccountDraft {
  readonly name: string
  readonly group: string
  readonly leverage: number
  readonly currency: string
  readonly balance: number
}

/** Creates drafts of the kit's accounts. The name shows the owner; name and balance are unique. */
export function createAccountDrafts(label: string, group: string): (changes?: Partial<AccountDraft>) => AccountDraft {
  let count = 0
  return (changes) => {
    count += 1
    return { name: `${label} ${count}`, group, leverage: 100, currency: 'USD', balance: 10_000 + count, ...changes }
  }
}
