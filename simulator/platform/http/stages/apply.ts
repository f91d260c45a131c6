import type { Answer, Json } from '../../../server/answer.ts'
import type { TradingAccount, TradingAccountTerms } from '../../model/trading-account.ts'
import type { PlatformService } from '../service.ts'
import type { Intent } from './validate.ts'

/** The answer, and the accounts that are to be saved before it leaves; undefined where nothing changes. */
export interface Outcome {
  readonly answer: Answer
  readonly accounts: readonly TradingAccount[] | undefined
}

/** Works the intent out against the accounts. Nobody sees a new account before it is saved. */
export function apply(intent: Intent, service: PlatformService): Outcome {
  const { seams, records } = service
  switch (intent.operation) {
    case 'read-account':
      return unchanged(json(seams.accountStatus, seams.accountEnvelope(seams.accountBody(service.account)), service))
    case 'list-accounts':
      return unchanged(list(intent.query, service))
    case 'read-trading-account': {
      const account = records.present().accounts.find(({ id }) => id === intent.id)
      if (account === undefined) throw seams.unknownEndpoint()
      return unchanged(json(200, seams.singleBody(account), service))
    }
    case 'show-methods':
      return unchanged(methods(intent.allow, service))
    case 'create-account':
      return create(intent.terms, service)
  }
}

function create(terms: TradingAccountTerms, service: PlatformService): Outcome {
  const { seams, records, now } = service
  const { accounts } = records.present()
  const same = seams.judgeRepetition(terms, accounts)
  const account = same ?? seams.openAccount(accounts, terms, now())
  const answer = json(seams.createdStatus, seams.createdBody(account), service)
  return {
    answer: { ...answer, headers: { ...answer.headers, ...seams.createdHeaders(account) } },
    accounts: same === undefined ? seams.addAccount(accounts, account) : undefined,
  }
}

function list(query: string, service: PlatformService): Answer {
  const { seams, records } = service
  const listed = seams.listedAccounts(records.present().accounts, query)
  return json(200, seams.listBody(listed.map(seams.listedBody)), service)
}

function methods(allowed: readonly string[], service: PlatformService): Answer {
  const { status, allow } = service.seams.showMethods(allowed)
  const answer = json(status, status === 204 ? undefined : { allow }, service)
  return { ...answer, headers: { ...answer.headers, Allow: allow } }
}

function json(status: number, value: Json | undefined, { seams }: PlatformService): Answer {
  if (value === undefined) return { status, body: undefined, headers: {} }
  return { status, body: seams.encodeJson(value), headers: { 'Content-Type': seams.jsonType } }
}

function unchanged(answer: Answer): Outcome {
  return { answer, accounts: undefined }
}
