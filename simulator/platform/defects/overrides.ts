import type { IncomingHttpHeaders } from 'node:http'
import { calling } from '../../defect-parts/events.ts'
import { type Members, withMembers } from '../../defect-parts/wire.ts'
import type { PlatformHooks, PlatformOverride } from '../hooks/hooks.ts'
import type { TradingAccount } from '../model/trading-account.ts'
import { type Known, withKnown } from './defect.ts'

type Account = Parameters<PlatformHooks['accountBody']>[0]

/** The event that a hook is called with matching arguments. */
export const on = calling<PlatformHooks>()

export function isWithoutKey({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return headers.authorization === undefined
}

/** A server that replaces or adds members of the account. `members` is called before the response is counted. */
export function accountWith(members: (account: Account, known: Known) => Members): PlatformOverride {
  return withKnown(({ accountBody }, known) => ({
    accountBody: (account) => {
      const changed = members(account, known)
      return withMembers(accountBody(account), changed)
    },
  }))
}

/** A server that replaces or adds members of each listed account. */
export function listing(members: (account: TradingAccount, right: object) => Members): PlatformOverride {
  return ({ listedBody }) => ({
    listedBody: (account) => {
      const right = listedBody(account)
      return withMembers(right, members(account, Object(right)))
    },
  })
}
