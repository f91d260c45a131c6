import { readMembers, throwIfAny } from '../../server/request-body.ts'
import type { HttpResponse, Json } from '../../server/response.ts'
import type { TradingAccount, TradingAccountTerms } from '../model/trading-account.ts'
import type { PlatformService } from '../service.ts'
import type { SignedRequest } from './authenticate.ts'
import type { Route } from './route.ts'

/** Validates the Content-Type and the body (clause 4.1). Returns a function that applies the operation. */
export function validate(
  { route, ...complete }: SignedRequest & { readonly route: Route },
  service: PlatformService,
): () => AppliedOperation {
  const { hooks, account, records } = service
  switch (route.operation) {
    case 'create-account': {
      const terms = readMembers(complete, hooks, (members) => ({
        name: hooks.readName(hooks.fieldOf(members, 'name')),
        group: hooks.readGroup(hooks.fieldOf(members, 'group')),
        leverage: hooks.readLeverage(hooks.fieldOf(members, 'leverage')),
        currency: hooks.readCurrency(hooks.fieldOf(members, 'currency')),
        balance: hooks.readBalance(hooks.fieldOf(members, 'balance')),
      }))
      return () => createAccount(terms, service)
    }
    case 'read-account':
      throwIfAny(hooks.judgeReadContentType(complete.received.headers['content-type']))
      return () => ({
        response: json(hooks.accountStatus, hooks.accountEnvelope(hooks.accountBody(account)), service),
      })
    case 'list-accounts':
      return () => {
        const listed = hooks.listedAccounts(records.current().accounts, route.query)
        return { response: json(200, hooks.listBody(listed.map((shown) => hooks.listedBody(shown))), service) }
      }
    case 'read-trading-account':
      return () => {
        const found = records.current().accounts.find(({ id }) => id === route.parameter)
        if (found === undefined) throw hooks.unknownEndpoint()
        return { response: json(200, hooks.singleBody(found), service) }
      }
    case 'show-methods': {
      const { status, allow } = hooks.showMethods(route.allow())
      return () => ({ response: json(status, { allow }, service, { Allow: allow }) })
    }
  }
}

/** The response, and the accounts to save before it is sent; absent if nothing changes. */
export interface AppliedOperation {
  readonly response: HttpResponse
  readonly accounts?: readonly TradingAccount[]
}

/** The new account is not visible before it is saved. */
function createAccount(terms: TradingAccountTerms, service: PlatformService): AppliedOperation {
  const { hooks, records, now } = service
  const { accounts } = records.current()
  const same = hooks.judgeRepetition(terms, accounts)
  const account = same ?? hooks.openAccount(accounts, terms, now())
  return {
    response: json(hooks.createdStatus, hooks.createdBody(account), service, hooks.createdHeaders(account)),
    ...(same === undefined && { accounts: hooks.addAccount(accounts, account) }),
  }
}

function json(
  status: number,
  value: Json | undefined,
  { hooks }: PlatformService,
  headers: HttpResponse['headers'] = {},
): HttpResponse {
  if (value === undefined) return { status, body: undefined, headers }
  return { status, body: hooks.encodeJson(value), headers: { 'Content-Type': hooks.jsonType, ...headers } }
}
