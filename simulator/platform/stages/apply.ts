import type { HttpResponse, Json } from '../../server/response.ts'
import type { TradingAccount, TradingAccountTerms } from '../model/trading-account.ts'
import type { PlatformService } from '../service.ts'
import type { Intent } from './validate.ts'

/** The answer, and the accounts that are to be saved before it leaves; undefined where nothing changes. */
export interface Outcome {
  readonly answer: HttpResponse
  readonly accounts: readonly TradingAccount[] | undefined
}

/** Works the intent out against the accounts. Nobody sees a new account before it is saved. */
export function apply(intent: Intent, service: PlatformService): Outcome {
  const { hooks, records } = service
  switch (intent.operation) {
    case 'read-account':
      return unchanged(json(hooks.accountStatus, hooks.accountEnvelope(hooks.accountBody(service.account)), service))
    case 'list-accounts':
      return unchanged(list(intent.query, service))
    case 'read-trading-account': {
      const account = records.present().accounts.find(({ id }) => id === intent.id)
      if (account === undefined) throw hooks.unknownEndpoint()
      return unchanged(json(200, hooks.singleBody(account), service))
    }
    case 'show-methods':
      return unchanged(methods(intent.allow, service))
    case 'create-account':
      return create(intent.terms, service)
  }
}

function create(terms: TradingAccountTerms, service: PlatformService): Outcome {
  const { hooks, records, now } = service
  const { accounts } = records.present()
  const same = hooks.judgeRepetition(terms, accounts)
  const account = same ?? hooks.openAccount(accounts, terms, now())
  const answer = json(hooks.createdStatus, hooks.createdBody(account), service)
  return {
    answer: { ...answer, headers: { ...answer.headers, ...hooks.createdHeaders(account) } },
    accounts: same === undefined ? hooks.addAccount(accounts, account) : undefined,
  }
}

function list(query: string, service: PlatformService): HttpResponse {
  const { hooks, records } = service
  const listed = hooks.listedAccounts(records.present().accounts, query)
  return json(200, hooks.listBody(listed.map(hooks.listedBody)), service)
}

function methods(allowed: readonly string[], service: PlatformService): HttpResponse {
  const { status, allow } = service.hooks.showMethods(allowed)
  const answer = json(status, status === 204 ? undefined : { allow }, service)
  return { ...answer, headers: { ...answer.headers, Allow: allow } }
}

function json(status: number, value: Json | undefined, { hooks }: PlatformService): HttpResponse {
  if (value === undefined) return { status, body: undefined, headers: {} }
  return { status, body: hooks.encodeJson(value), headers: { 'Content-Type': hooks.jsonType } }
}

function unchanged(answer: HttpResponse): Outcome {
  return { answer, accounts: undefined }
}
