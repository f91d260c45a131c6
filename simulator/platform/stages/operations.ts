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
      return () => unchanged(json(hooks.accountStatus, hooks.accountEnvelope(hooks.accountBody(account)), service))
    case 'list-accounts':
      return () => {
        const listed = hooks.listedAccounts(records.current().accounts, route.query)
        return unchanged(json(200, hooks.listBody(listed.map((shown) => hooks.listedBody(shown))), service))
      }
    case 'read-trading-account':
      return () => {
        const found = records.current().accounts.find(({ id }) => id === route.parameter)
        if (found === undefined) throw hooks.unknownEndpoint()
        return unchanged(json(200, hooks.singleBody(found), service))
      }
    case 'show-methods': {
      const { status, allow } = hooks.showMethods(route.allow())
      const response = json(status, { allow }, service)
      return () => unchanged({ ...response, headers: { ...response.headers, Allow: allow } })
    }
  }
}

/** The response, and the accounts to save before it is sent; undefined if nothing changes. */
export interface AppliedOperation {
  readonly response: HttpResponse
  readonly accounts: readonly TradingAccount[] | undefined
}

/** The new account is not visible before it is saved. */
function createAccount(terms: TradingAccountTerms, service: PlatformService): AppliedOperation {
  const { hooks, records, now } = service
  const { accounts } = records.current()
  const same = hooks.judgeRepetition(terms, accounts)
  const account = same ?? hooks.openAccount(accounts, terms, now())
  const response = json(hooks.createdStatus, hooks.createdBody(account), service)
  return {
    response: { ...response, headers: { ...response.headers, ...hooks.createdHeaders(account) } },
    accounts: same === undefined ? hooks.addAccount(accounts, account) : undefined,
  }
}

function json(status: number, value: Json | undefined, { hooks }: PlatformService): HttpResponse {
  if (value === undefined) return { status, body: undefined, headers: {} }
  return { status, body: hooks.encodeJson(value), headers: { 'Content-Type': hooks.jsonType } }
}

function unchanged(response: HttpResponse): AppliedOperation {
  return { response, accounts: undefined }
}
