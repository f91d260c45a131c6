import { readMembers, throwIfAny } from '../../server/json-body.ts'
import type { TradingAccountTerms } from '../model/trading-account.ts'
import type { PlatformService } from '../service.ts'
import {
  type AppliedOperation,
  createAccount,
  listAccounts,
  readAccount,
  readTradingAccount,
  showMethods,
} from './apply.ts'
import type { Route } from './route.ts'
import type { CompleteRequest } from './verify.ts'

/** Validates the Content-Type and the body (clause 4.1). Returns a function that applies the operation. */
export function validate(
  { route, ...complete }: CompleteRequest & { readonly route: Route },
  service: PlatformService,
): () => AppliedOperation {
  switch (route.operation) {
    case 'create-account': {
      const terms = validTerms(complete, service)
      return () => createAccount(terms, service)
    }
    case 'read-account':
      throwIfAny(service.hooks.judgeReadContentType(complete.received.headers['content-type']))
      return () => readAccount(service)
    case 'list-accounts':
      return () => listAccounts(route.query, service)
    case 'read-trading-account':
      return () => readTradingAccount(route.parameter, service)
    case 'show-methods':
      return () => showMethods(route.allow(), service)
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
