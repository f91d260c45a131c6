import { readMembers, throwIfAny } from '../../server/json-body.ts'
import type { TradingAccountTerms } from '../model/trading-account.ts'
import type { PlatformService } from '../service.ts'
import type { Route } from './route.ts'
import type { CompleteRequest } from './verify.ts'

/** A validated operation. Only the checks against the accounts are still to come. */
export type Intent =
  | { readonly operation: 'read-account' }
  | { readonly operation: 'list-accounts'; readonly query: string }
  | { readonly operation: 'read-trading-account'; readonly id: string }
  | { readonly operation: 'show-methods'; readonly allow: readonly string[] }
  | { readonly operation: 'create-account'; readonly terms: TradingAccountTerms }

/** Validates the Content-Type and the body (clause 4.1). */
export function validate(
  { route, ...whole }: CompleteRequest & { readonly route: Route },
  service: PlatformService,
): Intent {
  const { operation, query, parameter, allow } = route
  switch (operation) {
    case 'create-account':
      return { operation, terms: validTerms(whole, service) }
    case 'show-methods':
      return { operation, allow }
    case 'read-trading-account':
      return { operation, id: parameter }
    case 'list-accounts':
      return { operation, query }
    case 'read-account':
      throwIfAny(service.hooks.judgeReadContentType(whole.received.headers['content-type']))
      return { operation }
  }
}

function validTerms(request: CompleteRequest, { hooks }: PlatformService): TradingAccountTerms {
  return readMembers(request, hooks, (members) => ({
    name: hooks.readName(hooks.fieldOf(members, 'name')),
    group: hooks.readGroup(hooks.fieldOf(members, 'group')),
    leverage: hooks.readLeverage(hooks.fieldOf(members, 'leverage')),
    currency: hooks.readCurrency(hooks.fieldOf(members, 'currency')),
    balance: hooks.readBalance(hooks.fieldOf(members, 'balance')),
  }))
}
