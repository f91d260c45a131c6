import type { Client, Request } from '../client/client.ts'
import type { RawClient } from '../client/raw.ts'
import { type HttpResponse, NoResponse } from '../client/response.ts'
import { contentOf, describeRule, type Rule, sameContent } from '../model/rule.ts'
import { toJson } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { ConcurrentEdit, type Watch, WrongRuleRemoved } from './concurrent-edit.ts'
import type { Ledger } from './ledger.ts'
import { differences, missingFrom } from './list-state.ts'
import { guardRawWrites, guardWrites, requireLedger } from './write-guard.ts'

export interface GuardOptions {
  readonly client: Client
  /** Headers of an ordinary request with the right key. */
  readonly headers: Readonly<Record<string, string>>
  /** Null where writes are not allowed. */
  readonly ledger: Ledger | null
  readonly watch: Watch
  readonly isOwn: (rule: Rule) => boolean
  /** Called with the body of each request that may add a rule, before it is sent; returns the logins of the kit in it. */
  readonly note: (text: string) => readonly number[]
  /** Called for each request that may change the list; throws when there are too many. */
  readonly countWrite: () => void
}

/** For clean-ups, which only remove rules of the kit. */
export const removalsOnly = { note: () => [], countWrite: () => undefined } as const

/**
 * A client for a server that holds foreign rules. Every list is compared with the previous one, and
 * every write is in the ledger before it is sent. The list is read around each DELETE: before it, so
 * that the index of a foreign rule is never sent; after it, so that a foreign rule that was removed
 * because of a concurrent edit is added again at once.
 */
export function guardClient(options: GuardOptions): Client {
  const { client, ledger, watch, countWrite } = options
  return guardWrites({
    client,
    ledger,
    admit: countWrite,
    async send(request) {
      if (request.method === 'DELETE') return guardedDelete(request, options)
      announce(request, options)
      return client(request)
    },
    see: (request, response) => seeList(watch, request, response),
  })
}

/** Records a request that is about to be sent. */
function announce(request: Request, { ledger, note }: Pick<GuardOptions, 'ledger' | 'note'>): void {
  const body = request.body?.toString('utf8') ?? null
  ledger?.append({ event: 'write', request: lineOf(request), body, logins: note(body ?? '') })
}

/**
 * A client for a leased server. The temporary key gives the kit exclusive access, so a DELETE cannot hit
 * a foreign rule. Writes are recorded and counted all the same, and a foreign rule stops the run.
 */
export function guardLeased(options: Omit<GuardOptions, 'headers' | 'isOwn'>): Client {
  const { client, ledger, watch, countWrite } = options
  return guardWrites({
    client,
    ledger,
    admit: countWrite,
    async send(request) {
      announce(request, options)
      return client(request)
    },
    see: (request, response) => seeList(watch, request, response),
  })
}

function seeList(watch: Watch, request: Request, response: HttpResponse): void {
  const list = listIn(request, response)
  if (list !== null) watch.see(list)
}

/** Records raw bytes that are not a read before they are sent. */
export function guardRaw(raw: RawClient, { ledger, note }: Pick<GuardOptions, 'ledger' | 'note'>): RawClient {
  return guardRawWrites(raw, /^(GET|HEAD|OPTIONS) /i, (body) => {
    const open = requireLedger(ledger, 'a request of raw bytes')
    open.append({ event: 'write', request: 'raw bytes', body, logins: note(body) })
  })
}

async function guardedDelete(request: Request, options: GuardOptions): Promise<HttpResponse> {
  const { client, ledger, watch, isOwn } = options
  const before = await readList(options)
  watch.see(before)
  const named = ruleNamedBy(request.path, before)
  if (named !== undefined && !isOwn(named)) {
    throw new ConcurrentEdit('the index of a rule of the kit now belongs to a foreign rule', [describeRule(named)])
  }
  if (named === undefined) announce(request, options)
  else ledger?.append({ event: 'remove', index: named.index, rule: contentOf(named) })
  const response = await client(request).catch((error: unknown) => afterNoResponse(error, before, options))
  await confirm({ response, before, after: await readList(options), named }, options)
  return response
}

/** Without a response it is unknown what was removed, so the list shows whether foreign rules are missing. */
async function afterNoResponse(error: unknown, before: readonly Rule[], options: GuardOptions): Promise<never> {
  if (error instanceof NoResponse) {
    const after = await readList(options)
    const lost = lostBetween(before, after, options)
    if (lost.length > 0) recordLost(lost, options)
    else options.ledger?.append({ event: 'confirmed' })
    options.watch.see(after)
  }
  throw error
}

/** Foreign rules that are in the first list and not in the second. */
function lostBetween(before: readonly Rule[], after: readonly Rule[], { isOwn }: GuardOptions): readonly Rule[] {
  return missingFrom(after, before).filter((rule) => !isOwn(rule))
}

/** Lost rules in the ledger make the run end with exit code 5; the message says how to add them again. */
function recordLost(lost: readonly Rule[], { ledger }: GuardOptions): void {
  ledger?.append({ event: 'lost', rules: lost.map(contentOf) })
}

interface Removal {
  readonly response: HttpResponse
  readonly before: readonly Rule[]
  readonly after: readonly Rule[]
  readonly named: Rule | undefined
}

/** Adds a foreign rule again that was removed instead of the kit's own rule; then the run stops. */
async function confirm(removal: Removal, options: GuardOptions): Promise<void> {
  const overwrittenRule = overwrittenRuleOf(removal, options.isOwn)
  if (overwrittenRule !== undefined) {
    await restoreRule(overwrittenRule, options)
    if (nothingElseChanged(removal, overwrittenRule)) {
      const wrongRule = new WrongRuleRemoved(
        'the server removed a rule other than the one at that index, and nothing else changed; the rule was added again',
        [describeRule(overwrittenRule)],
      )
      options.ledger?.append({ event: 'misled', reason: wrongRule.message })
      throw wrongRule
    }
    throw new ConcurrentEdit(
      'another client moved the indices while a rule of the kit was removed; the removed foreign rule was added again',
      [describeRule(overwrittenRule)],
    )
  }
  const lost = lostBetween(removal.before, removal.after, options)
  if (lost.length > 0 && isSuccess(removal.response)) {
    recordLost(lost, options)
    throw new ConcurrentEdit(
      'foreign rules disappeared together with a rule of the kit: the server removed them too, or another client did',
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
 * The foreign rule that the kit's DELETE removed. There is one only if the DELETE succeeded and no rule
 * of the kit is missing. If several rules are missing, another client removed the others and so moved
 * the indices; the kit's DELETE then removed a neighbour of its own rule.
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
  // By content: equal rules cannot be told apart.
  return missing.find((rule) => neighbours.some((neighbour) => sameContent(neighbour, rule)))
}

/** A concurrent edit that moves indices also adds or removes a rule. */
function nothingElseChanged({ before, after }: Removal, overwrittenRule: Rule): boolean {
  const rest = before.filter((rule) => rule !== overwrittenRule)
  return rest.length === after.length && differences(rest, after).length === 0
}

async function restoreRule(rule: Rule, options: GuardOptions): Promise<void> {
  const { client, headers, ledger } = options
  // Recorded as lost until it is back: the kit may be killed before the response arrives.
  recordLost([rule], options)
  ledger?.append({ event: 'put-back', rule: contentOf(rule) })
  const response = await client({
    method: 'POST',
    path: '/api/rules',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: Buffer.from(toJson(contentOf(rule))),
  })
  if (response.status === 201) return
  throw new ConcurrentEdit(`a foreign rule was removed and could not be added again (status ${response.status})`, [
    describeRule(rule),
  ])
}

async function readList({ client, headers }: GuardOptions): Promise<readonly Rule[]> {
  return rulesIn(await client({ method: 'GET', path: '/api/rules', headers, body: null }))
}

/** The list in a response; null for another response. */
function listIn(request: Request, response: HttpResponse): readonly Rule[] | null {
  if (request.method !== 'GET' || request.path !== '/api/rules' || response.status !== 200) return null
  try {
    return rulesIn(response)
  } catch {
    // The checks judge an invalid list.
    return null
  }
}

/** The rule whose index is in the path, also in a notation that only some servers accept. */
function ruleNamedBy(path: string, list: readonly Rule[]): Rule | undefined {
  const index = /^\/api\/rules\/(?:%20|\+)*0*(\d+)(?:\?.*)?$/.exec(path)?.[1]
  return index === undefined ? undefined : list.find((rule) => rule.index === Number(index))
}

function lineOf({ method, path }: Request): string {
  return `${method} ${path}`
}
