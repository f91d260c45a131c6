/** The terms of a trading account at its creation (clause 2.2). */
export interface TradingAccountTerms {
  readonly name: string
  /** Slug of the account group, e.g. `demo`. */
  readonly group: string
  readonly leverage: number
  /** Three letters, e.g. `USD`. */
  readonly currency: string
  readonly balance: number
}

/** A trading account. */
export interface TradingAccount extends TradingAccountTerms {
  /** `ta_` and digits. */
  readonly id: string
  /** ISO 8601 in UTC. */
  readonly createdAt: string
}

export const termNames = ['name', 'group', 'leverage', 'currency', 'balance'] as const

/** Whether the terms are equal. */
export function sameTerms(one: TradingAccountTerms, other: TradingAccountTerms): boolean {
  return termNames.every((name) => one[name] === other[name])
}

/** A new account. Accounts are never removed, so the next number gives a unique id. */
export function openAccount(
  accounts: readonly TradingAccount[],
  terms: TradingAccountTerms,
  nowMs: number,
): TradingAccount {
  return { id: `ta_${100_001 + accounts.length}`, ...terms, createdAt: new Date(nowMs).toISOString() }
}
