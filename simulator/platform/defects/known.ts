import { onlyObserving } from '../../defect-parts/combine.ts'
import type { PlatformHooks, PlatformOverride } from '../hooks/hooks.ts'
import type { TradingAccount } from '../model/trading-account.ts'

/** What a server with a defect has seen so far, one for each simulator. A hook is counted once it has returned. */
export interface Known {
  /** The trading account that was created last. */
  readonly newest: TradingAccount | undefined
  /** The secret that was hashed last. */
  readonly secret: string
  /** How many times the account was returned. */
  readonly reads: number
}

/** An override that can read what the server has seen. */
export function withKnown(wrong: (hooks: PlatformHooks, known: Known) => Partial<PlatformHooks>): PlatformOverride {
  return (hooks) => {
    const known: { -readonly [Fact in keyof Known]: Known[Fact] } = { newest: undefined, secret: '', reads: 0 }
    const observing: Partial<PlatformHooks> = onlyObserving({
      addAccount(accounts, account) {
        const added = hooks.addAccount(accounts, account)
        known.newest = account
        return added
      },
      hashSecret(apiSecret) {
        const hash = hooks.hashSecret(apiSecret)
        known.secret = apiSecret
        return hash
      },
      accountBody(account) {
        const body = hooks.accountBody(account)
        known.reads += 1
        return body
      },
    } satisfies Partial<PlatformHooks>)
    return { ...observing, ...wrong({ ...hooks, ...observing }, known) }
  }
}
