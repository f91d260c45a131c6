import { observing } from '../../defect-parts/combine.ts'
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
    const known: Known = { newest: undefined, secret: '', reads: 0 }
    const seeing = observing(hooks, known, {
      addAccount: (_added, _accounts, newest) => ({ newest }),
      hashSecret: (_, secret) => ({ secret }),
      accountBody: () => ({ reads: known.reads + 1 }),
    })
    return { ...seeing, ...wrong({ ...hooks, ...seeing }, known) }
  }
}
