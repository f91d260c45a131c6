import type { Client, Request } from '../client/client.ts'
import type { RawClient } from '../client/raw.ts'
import { type HttpResponse, NoResponse } from '../client/response.ts'
import { contentOf, describeRule, type Rule, sameContent } from '../model/rule.ts'
import { toJson } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { ConcurrentEdit, type Watch, WrongRuleRemoved } from './concurrent-edit.ts'
import type { Ledger } from './ledger.ts'
import { differences, missingFrom } from './list-state.ts'

export interface GuardOptions {
  readonly client: Client
  /** Headers of an ordinary request with the right key. */
  readonly headers: Readonly<Record<string, string>>
  /** Null where nothing may be written at all. */
  readonly ledger: Ledger | null
  readonly watch: Watch
  readonly isOwn: (rule: Rule) => boolean
  /** Told of the text of each request that may add a rule, before it leaves; returns the logins of the kit in it. */
  readonly note: (text: string) => readonly number[]
  /** Told of each request that may change something; throws when there are too many. */
  readonly countWrite: () => void
}

/** The run would have sent more writes than it announced; it stops instead. */
export class TooManyWrites extends Error {
  override readonly name = 'TooManyWrites'
}

/** For those that take away what the kit wrote, and write nothing else. */
export const removalsOnly = { note: () => [], countWrite: () => undefined } as const

/**
 * A client for a server that holds rules of others. Every list that comes by is compared with the
 * one before; every write is in the ledger before it leaves; and around a DELETE the list is read:
 * before, so that no index of a rule of others is ever sent, and after, so that such a rule, should
 * it vanish because somebody moved the indices in that very moment, is put back at once.
 */
export function guardClient(options: GuardOptions): Client {
  const { client, ledger, watch, countWrite } = options

  return async (request) => {
    if (isRead(request)) {
      const response = await client(request)
      const list = listIn(request, response)
      if (list !== null) watch.see(list)
      return response
    }
    countWrite()
    requireLedger(ledger)
    if (request.method === 'DELETE') return guardedDelete(request, options)
    announce(request, options)
    return client(request)
  }
}

/** Writes down a request that is about to leave. */
function announce(request: Request, { ledger, note }: Pick<GuardOptions, 'ledger' | 'note'>): void {
  const body = request.body?.toString('utf8') ?? null
  ledger?.append({ event: 'write', request: lineOf(request), body, logins: note(body ?? '') })
}

/**
 * A client for a server that is lent to the kit, with a key that nobody else has: there are no rules
 * of others that a DELETE could hit. Writes are in the ledger and counted all the same, and a rule
 * that is not the kit's stops the run.
 */
export function guardLeased(options: Omit<GuardOptions, 'headers' | 'isOwn'>): Client {
  const { client, ledger, watch, countWrite } = options
  return async (request) => {
    if (!isRead(request)) {
      countWrite()
      requireLedger(ledger)
      announce(request, options)
    }
    const response = await client(request)
    const list = listIn(request, response)
    if (list !== null) watch.see(list)
    return response
  }
}

/** Raw bytes that are no read are in the ledger before they leave. */
export function guardRaw(raw: RawClient, { ledger, note }: Pick<GuardOptions, 'ledger' | 'note'>): RawClient {
  return async (request) => {
    const pieces: readonly Buffer[] = Buffer.isBuffer(request.bytes) ? [request.bytes] : request.bytes
    const texts = pieces.map((bytes) => bytes.toString('latin1'))
    if (texts.some((text) => !/^(GET|HEAD|OPTIONS) /i.test(text))) {
      requireLedger(ledger)
      const body = texts.join('')
      ledger?.append({ event: 'write', request: 'raw bytes', body, logins: note(body) })
    }
    return raw(request)
  }
}

async function guardedDelete(request: Request, options: GuardOptions): Promise<HttpResponse> {
  const { client, ledger, watch, isOwn } = options
  const before = await readList(options)
  watch.see(before)
  const named = ruleNamedBy(request.path, before)
  if (named !== undefined && !isOwn(named)) {
    throw new ConcurrentEdit('the index of a rule of the kit now belongs to a rule of somebody else', [
      describeRule(named),
    ])
  }
  if (named === undefined) announce(request, options)
  else ledger?.append({ event: 'remove', index: named.index, rule: contentOf(named) })
  const response = await client(request).catch((error: unknown) => afterSilence(error, before, options))
  await confirm({ response, before, after: await readList(options), named }, options)
  return response
}

/** No answer came, so nobody knows what was removed; if nothing of others is missing, no harm was done. */
async function afterSilence(error: unknown, before: readonly Rule[], options: GuardOptions): Promise<never> {
  if (error instanceof NoResponse) {
    const after = await readList(options)
    const lost = lostBetween(before, after, options)
    if (lost.length > 0) writeDownLost(lost, options)
    else options.ledger?.append({ event: 'confirmed' })
    options.watch.see(after)
  }
  throw error
}

/** Rules of others that are in the first list and not in the second. */
function lostBetween(before: readonly Rule[], after: readonly Rule[], { isOwn }: GuardOptions): readonly Rule[] {
  return missingFrom(after, before).filter((rule) => !isOwn(rule))
}

/** What is in the ledger as lost makes the run end with exit code 5, and is named with the way to mend it. */
function writeDownLost(lost: readonly Rule[], { ledger }: GuardOptions): void {
  ledger?.append({ event: 'lost', rules: lost.map(contentOf) })
}

interface Removal {
  readonly response: HttpResponse
  readonly before: readonly Rule[]
  readonly after: readonly Rule[]
  readonly named: Rule | undefined
}

/** Puts back what vanished instead of the kit's own rule; then the run stops. */
async function confirm(removal: Removal, options: GuardOptions): Promise<void> {
  const overwrittenRule = overwrittenRuleOf(removal, options.isOwn)
  if (overwrittenRule !== undefined) {
    await restoreRule(overwrittenRule, options)
    if (nothingElseChanged(removal, overwrittenRule)) {
      const removalUnsafeReason = new WrongRuleRemoved(
        'the server removed another rule than the one at that index, and nothing else has changed; the rule was put back',
        [describeRule(overwrittenRule)],
      )
      options.ledger?.append({ event: 'misled', reason: removalUnsafeReason.message })
      throw removalUnsafeReason
    }
    throw new ConcurrentEdit(
      'somebody moved the indices while a rule of the kit was removed; the rule that it hit was put back',
      [describeRule(overwrittenRule)],
    )
  }
  const lost = lostBetween(removal.before, removal.after, options)
  if (lost.length > 0 && isSuccess(removal.response)) {
    writeDownLost(lost, options)
    throw new ConcurrentEdit(
      'with a rule of the kit others vanished: the server took them along, or somebody removed them at that moment',
      lost.map(describeRule),
    )
  }
  options.ledger?.append({ event: 'confirmed' })
  options.watch.see(removal.after)
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

/**
 * The rule of somebody else that the kit's DELETE removed. It can only have removed one if it was
 * answered with success and no rule of the kit is missing. Were several rules lost, the others were
 * removed by the client that moved the indices, and ours was the neighbour of the rule it meant.
 */
function overwrittenRuleOf(
  { response, before, after, named }: Removal,
  isOwn: (rule: Rule) => boolean,
): Rule | undefined {
  if (!isSuccess(response)) return undefined
  const missing = missingFrom(after, before)
  if (missing.some(isOwn)) return undefined
  const [only] = missing
  if (missing.length < 2) return only
  const neighbours = before.filter(({ index }) => named !== undefined && Math.abs(index - named.index) === 1)
  // By content: of equal rules nobody can tell which one is missing.
  return missing.find((rule) => neighbours.some((neighbour) => sameContent(neighbour, rule)))
}

/** Whoever moves indices changes the list: adds a rule, or removes one. */
function nothingElseChanged({ before, after }: Removal, overwrittenRule: Rule): boolean {
  const rest = before.filter((rule) => rule !== overwrittenRule)
  return rest.length === after.length && differences(rest, after).length === 0
}

async function restoreRule(rule: Rule, options: GuardOptions): Promise<void> {
  const { client, headers, ledger } = options
  // Lost until it is known to be back: the kit may be ended before the answer comes.
  writeDownLost([rule], options)
  ledger?.append({ event: 'put-back', rule: contentOf(rule) })
  const response = await client({
    method: 'POST',
    path: '/api/rules',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: Buffer.from(toJson(contentOf(rule))),
  })
  if (response.status === 201) return
  throw new ConcurrentEdit(`a rule of somebody else is gone and could not be put back (status ${response.status})`, [
    describeRule(rule),
  ])
}

async function readList({ client, headers }: GuardOptions): Promise<readonly Rule[]> {
  return rulesIn(await client({ method: 'GET', path: '/api/rules', headers, body: null }))
}

/** The list in an answer, null if it is the answer to something else. */
function listIn(request: Request, response: HttpResponse): readonly Rule[] | null {
  if (request.method !== 'GET' || request.path !== '/api/rules' || response.status !== 200) return null
  try {
    return rulesIn(response)
  } catch {
    // A list that is not as it should be is for the checks to judge.
    return null
  }
}

/** The rule whose index a path names, also in a spelling that only some servers accept. */
function ruleNamedBy(path: string, list: readonly Rule[]): Rule | undefined {
  const index = /^\/api\/rules\/(?:%20|\+)*0*(\d+)(?:\?.*)?$/.exec(path)?.[1]
  return index === undefined ? undefined : list.find((rule) => rule.index === Number(index))
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

function lineOf({ method, path }: Request): string {
  return `${method} ${path}`
}

/** The plan holds no check that writes where none may; this is the second lock of the door. */
function requireLedger(ledger: Ledger | null): void {
  if (ledger === null) throw new Error('a check tried to write to a target that may only be read')
}

/** Counts writes; throws `TooManyWrites` beyond the most that was announced. */
export function createBudget(most: number): () => void {
  let left = most
  return () => {
    left -= 1
    if (left < 0) throw new TooManyWrites(`the run would send more than the ${most} writes that it announced`)
  }
}
