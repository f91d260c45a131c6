import { setTimeout as pause } from 'node:timers/promises'
import { shapeOf } from '../assertions/difference.ts'
import { expectEqual, expectObject, expectStatusKind, expectThat, failure } from '../assertions/expect.ts'
import { CannotArrange, NotApplicable } from '../assertions/failure.ts'
import { isObject } from '../client/json.ts'
import { type HttpResponse, isSuccess } from '../client/response.ts'
import { type AccountDraft, rejectAtLimit } from './account.ts'
import { type AccountList, contentOf, type Members } from './account-list.ts'
import type { PlatformSession } from './platform-session.ts'

export const isClientError = ({ status }: HttpResponse): boolean => status >= 400 && status < 500

export function expectSuccess(response: HttpResponse): void {
  expectStatusKind(response, isSuccess(response), 'response.not-success')
}

/** Expects any status other than success, since the status of an error response is not specified. */
export function expectNoSuccess(response: HttpResponse): void {
  expectStatusKind(response, !isSuccess(response), 'request.successful')
}

export function expectClientError(response: HttpResponse): void {
  expectStatusKind(response, isClientError(response), 'response.not-client-error')
}

export function expectAccount(response: HttpResponse): Members {
  expectSuccess(response)
  const { data } = expectObject(response)
  if (isObject(data)) return data
  throw failure('body.data-not-object', { difference: shapeOf(data), response })
}

/** Gets the account for a check that only needs it as a precondition. */
export async function arrangeAccount(platform: PlatformSession): Promise<Members> {
  const response = await platform.ordinary()
  const data = isObject(response.json) ? response.json.data : undefined
  if (isSuccess(response) && isObject(data)) return data
  throw new CannotArrange(`GET /v1/account was answered with ${response.status} ${response.text}`)
}

/** Judges or observes the account, which must be there. */
export const ofAccount =
  <Result>(look: (account: Members) => Result) =>
  async (platform: PlatformSession) =>
    look(await arrangeAccount(platform))

/** Throws unless the request succeeded, for checks that judge only successes. */
export function requireSuccess(response: HttpResponse): HttpResponse {
  if (isSuccess(response)) return response
  const { method } = response.exchange.request
  const request = method === 'RAW' ? 'request' : method
  throw new CannotArrange(`an ordinary ${request} was answered with ${response.status} ${response.text}`)
}

export const identityOf = ({ id, name, created_at }: Members): Members => ({ id, name, created_at })

/** The sample with the lists before and after its creation. Throws `NotApplicable` if there is no list. */
export async function sampleLists(platform: PlatformSession) {
  const { listBefore, ...sample } = await platform.created()
  if (listBefore === null) await platform.list()
  if (listBefore === null) throw new CannotArrange('the list could not be read before the first creation')
  if (sample.listAfter === null) expectSuccess(await platform.listWith({}))
  const listAfter = sample.listAfter ?? (await platform.list())
  if (accountNamed(listAfter, sample.draft.name) === undefined) rejectDelayed(sample.response)
  return { ...sample, listBefore, listAfter }
}

/** After a 202 an account may appear in the list at any time. */
export function rejectDelayed({ status }: HttpResponse): void {
  if (status === 202) throw new NotApplicable('the account will be created later (202), and when is not specified')
}

/** Throws `NotApplicable` if the currency of the accounts has no fraction, such as the yen. */
export function requireFraction(platform: PlatformSession): void {
  const { currency } = platform.draft()
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  if (maximumFractionDigits === 0) throw new NotApplicable(`amounts in ${currency} have no fraction`)
}

/** How long the list may lack a new account. Only one requirement forbids any delay. */
const listDelayMs = 2_000

/** The list as soon as it shows this account, or the last one. */
export function listShowing(platform: PlatformSession, name: string): Promise<AccountList> {
  return listWhen(platform, (list) => accountNamed(list, name) !== undefined)
}

/** The list as soon as this is true of it, or the last one if it does not become true within the allowed delay. */
export async function listWhen(platform: PlatformSession, holds: (list: AccountList) => boolean): Promise<AccountList> {
  const end = performance.now() + listDelayMs
  for (;;) {
    const list = await platform.list()
    if (holds(list) || performance.now() > end) return list
    await pause(200)
  }
}

/** The list with a new account: it then shows all earlier ones too. Null if no list was found. */
export async function listWithNew(platform: PlatformSession): Promise<AccountList | null> {
  if ((await platform.listPath()) === null) return null
  const before = await platform.list()
  const draft = platform.draft()
  const response = await platform.create(draft)
  rejectAtLimit(response)
  return (await listedAfter(platform, draft, before, response)).after
}

/** The account that a creation added, and the lists before and after. Throws unless it succeeded and is listed. */
export async function listedAfter(
  platform: PlatformSession,
  draft: AccountDraft,
  before: AccountList,
  response: HttpResponse,
) {
  requireSuccess(response)
  const after = await listShowing(platform, draft.name)
  if (newIn(before, after).length === 0) rejectDelayed(response)
  return { listed: listedAs(draft, before, after), before, after }
}

/** The sample as listed, by its name or else its balance, and the list that shows it. */
export async function listedSample(platform: PlatformSession) {
  const { draft, listBefore, listAfter } = await sampleLists(platform)
  const list = newIn(listBefore, listAfter).length > 0 ? listAfter : await listShowing(platform, draft.name)
  return { account: listedAs(draft, listBefore, list), list }
}

function listedAs(draft: AccountDraft, before: AccountList, after: AccountList): Members {
  const { name } = draft
  const fresh = newIn(before, after)
  // Earlier runs may have created accounts with some of the names.
  const found =
    fresh.find((account) => account.name === name) ??
    fresh.find((account) => hasBalanceOf(account, draft)) ??
    accountNamed(after, name)
  if (found !== undefined) return found
  throw new CannotArrange(`the account ${name} is not in the list`)
}

/** Each account of the kit has a balance of its own. */
export const hasBalanceOf = ({ balance }: Members, draft: AccountDraft): boolean => Number(balance) === draft.balance

export function accountNamed({ accounts }: AccountList, name: string): Members | undefined {
  return accounts.find((account) => account.name === name)
}

/** The list does not show an account whose creation was not successful. */
export function expectNotCreated(list: AccountList, { name }: AccountDraft, response: HttpResponse): void {
  const isRight = isSuccess(response) || accountNamed(list, name) === undefined
  expectThat(isRight, 'trading-account.created-despite-rejection', { actual: name, difference: response.status })
}

/** The list need not show group and leverage. */
export function expectAsSent(listed: Readonly<Record<string, unknown>>, draft: AccountDraft): void {
  const optional = (['group', 'leverage'] as const).filter((field) => field in listed)
  expectName(listed, draft)
  expectToTheCent(listed.balance, draft.balance)
  for (const field of ['currency', ...optional] as const) {
    expectEqual(`trading-account.${field}-changed`, listed[field], draft[field])
  }
}

export function expectToTheCent(actual: unknown, expected: number): void {
  const isSame = typeof actual === 'number' && Math.abs(actual - expected) < 0.005
  expectThat(isSame, 'trading-account.balance-changed', { expected, actual })
}

/** A server may write a character in its normal form (Unicode, conformance clause C7). */
export function expectName({ name }: Readonly<Record<string, unknown>>, draft: AccountDraft): void {
  const isSame = typeof name === 'string' && name.normalize() === draft.name.normalize()
  expectThat(isSame, 'trading-account.name-changed', { expected: draft.name, actual: name })
}

/** A created account is listed once, with its name and balance, if there is a list. Nothing is expected without a response. */
export async function expectListed(
  platform: PlatformSession,
  { name, balance }: AccountDraft,
  response: HttpResponse | undefined,
): Promise<void> {
  if (response === undefined || (await platform.listPath()) === null) return
  const { accounts } = await listShowing(platform, name)
  const [listed, ...others] = accounts.filter((account) => account.name === name)
  if (listed === undefined) rejectDelayed(response)
  expectEqual('trading-account.not-listed', listed?.name, name)
  expectEqual('trading-account.listed-times-wrong', others.length + 1, 1)
  expectEqual('trading-account.balance-changed', listed?.balance, balance)
}

/** The accounts of the second list that are not in the first. Members that are not documented may have changed. */
export function newIn(before: AccountList, after: AccountList): readonly Members[] {
  const known = before.accounts.map(contentOf)
  return after.accounts.filter((account) => {
    const at = known.indexOf(contentOf(account))
    if (at !== -1) known.splice(at, 1)
    return at === -1
  })
}

/** The response to a wrong signature; null if it is accepted, since signatures are ignored. */
export async function wrongSignature(platform: PlatformSession): Promise<HttpResponse | null> {
  await arrangeAccount(platform)
  const response = await platform.wronglySigned()
  return isSuccess(response) ? null : response
}

/** Throws `NotApplicable` unless signatures are checked. */
export async function requireSigning(platform: PlatformSession): Promise<HttpResponse> {
  const errorResponse = await wrongSignature(platform)
  if (errorResponse === null) throw new NotApplicable('signatures are ignored: a wrong one is accepted')
  return errorResponse
}
