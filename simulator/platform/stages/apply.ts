import type { HttpResponse, Json } from '../../server/response.ts'
import type { TradingAccount, TradingAccountTerms } from '../model/trading-account.ts'
import type { PlatformService } from '../service.ts'
import type { Intent } from './validate.ts'

/** The response, and the accounts to save before it is sent; undefined if nothing changes. */
export interface AppliedOperation {
  readonly response: HttpResponse
  readonly accounts: readonly TradingAccount[] | undefined
}

/** Applies the operation to the accounts. A new account is not visible before it is saved. */
export function apply(intent: Intent, service: PlatformService): AppliedOperation {
  const { hooks, records } = service
  switch (intent.operation) {
    case 'read-account':
      return unchanged(json(hooks.accountStatus, hooks.accountEnvelope(hooks.accountBody(service.account)), service))
    case 'list-accounts':
      return unchanged(list(intent.query, service))
    case 'read-trading-account': {
      const account = records.current().accounts.find(({ id }) => id === intent.id)
      if (account === undefined) throw hooks.unknownEndpoint()
      return unchanged(json(200, hooks.singleBody(account), service))
    }
    case 'show-methods':
      return unchanged(methods(intent.allow, service))
    case 'create-account':
      return create(intent.terms, service)
  }
}

function create(terms: TradingAccountTerms, service: PlatformService): AppliedOperation {
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

function list(query: string, service: PlatformService): HttpResponse {
  const { hooks, records } = service
  const listed = hooks.listedAccounts(records.current().accounts, query)
  return json(200, hooks.listBody(listed.map(hooks.listedBody)), service)
}

function methods(allowed: readonly string[], service: PlatformService): HttpResponse {
  const { status, allow } = service.hooks.showMethods(allowed)
  const response = json(status, { allow }, service)
  return { ...response, headers: { ...response.headers, Allow: allow } }
}

function json(status: number, value: Json | undefined, { hooks }: PlatformService): HttpResponse {
  if (value === undefined) return { status, body: undefined, headers: {} }
  return { status, body: hooks.encodeJson(value), headers: { 'Content-Type': hooks.jsonType } }
}

function unchanged(response: HttpResponse): AppliedOperation {
  return { response, accounts: undefined }
}
