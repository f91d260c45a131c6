import type { IncomingHttpHeaders } from 'node:http'
import { calling } from '../../defect-parts/events.ts'
import { type Members, withMembers } from '../../defect-parts/wire.ts'
import type { PlatformHooks, PlatformOverride } from '../hooks/hooks.ts'
import type { TradingAccount } from '../model/trading-account.ts'

type Account = Parameters<PlatformHooks['accountBody']>[0]

/** The event that a hook is called with matching arguments. */
export const on = calling<PlatformHooks>()

export function isWithoutKey({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return headers.authorization === undefined
}

/** A server that replaces or adds members of the account. */
export function accountWith(members: (account: Account) => Members): PlatformOverride {
  return ({ accountBody }) => ({ accountBody: (account) => withMembers(accountBody(account), members(account)) })
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
