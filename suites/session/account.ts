/** A trading account as it is sent on creation (clause 2.2). */
export interface AccountDraft {
  readonly name: string
  readonly group: string
  readonly leverage: number
  readonly currency: string
  readonly balance: number
}

/** Makes accounts of the kit's own, each with a name that says whose it is. No two have the same name or balance. */
export function createAccountDrafts(label: string, group: string): (changes?: Partial<AccountDraft>) => AccountDraft {
  let count = 0
  return (changes) => {
    count += 1
    return { name: `${label} ${count}`, group, leverage: 100, currency: 'USD', balance: 10_000 + count, ...changes }
  }
}
