import { isOfReusedConnection } from '../client/agents.ts'
import type { Client, Request } from '../client/client.ts'
import type { RawClient } from '../client/raw.ts'
import { type HttpResponse, NoResponse } from '../client/response.ts'
import { contentOf, type Draft, describeRule, isSameList, type Rule } from '../model/rule.ts'
import { toJson } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { type Additions, createAdditions, sendAddition } from './additions.ts'
import { ConcurrentEdit, type Watch } from './concurrent-edit.ts'
import { type ForeignList, readList } from './foreign-rules.ts'
import { createRemovals, type RemovalOptions, type Removals, ruleNamedBy, verifyRemoval } from './removals.ts'
import { guardRawWrites, guardWrites, requireLedger } from './write-guard.ts'

export interface GuardOptions extends ForeignList {
  readonly watch: Watch
  readonly additions: Additions
  readonly removals: Removals
  /** A new rule of the kit, to find out who removed a rule; null where nothing may be added for that. */
  readonly draft: (() => Draft) | null
  /** Called with the body of each request that may add a rule, before it is sent; returns the logins of the kit in it. */
  readonly note: (text: string) => readonly number[]
  /** Called for each request that may change the list; throws when there are too many. */
  readonly countWrite: () => void
}

/** For clean-ups, which only remove rules of the kit. */
export function removalsOnly(): Pick<GuardOptions, 'note' | 'countWrite' | 'additions' | 'removals' | 'draft'> {
  return {
    note: () => [],
    countWrite: () => undefined,
    additions: createAdditions(),
    removals: createRemovals(),
    draft: null,
  }
}

/**
 * A client for a server that holds foreign rules. Every list is compared with the previous one, and
 * every write is in the ledger before it is sent. The list is read around each write. Before a DELETE, so
 * that the index of a foreign rule is never sent; after it, so that a foreign rule that was removed
 * because of a concurrent edit is added again at once. Around any other write, since a faulty server may
 * lose a foreign rule when one is added.
 */
export function guardClient(options: GuardOptions): Client {
  const { client, ledger, watch, countWrite } = options
  return guardWrites({
    client,
    ledger,
    admit: countWrite,
    async send(request) {
      if (request.method === 'DELETE') return guardedDelete(request, options, ownAdder(options))
      return guardedAdd(request, options)
    },
    see: (request, response) => seeList(watch, request, response),
  })
}

function guardedAdd(request: Request, options: GuardOptions, isNested = false): Promise<HttpResponse> {
  const { wrong } = options.removals
  // A rule of the kit that is added now could not be removed.
  if (wrong !== null) return Promise.reject(wrong)
  const send = () => {
    announce(request, options)
    return options.client(request)
  }
  return sendAddition(send, ({ exchange }) => exchange, { ...withRemoval(options), isNested })
}

/** Adds a new rule of the kit, in a list where nothing else is added meanwhile; null where only rules are removed. */
function ownAdder({ draft, ...options }: GuardOptions): RemovalOptions['addOwn'] {
  if (draft === null) return null
  return async () => {
    const rule = draft()
    await guardedAdd(requestToAdd(rule, options), { ...options, draft }, true)
    return rule
  }
}

function requestToAdd(rule: Draft, { headers }: Pick<GuardOptions, 'headers'>): Request {
  const withType = { ...headers, 'Content-Type': 'application/json' }
  return { method: 'POST', path: '/api/rules', headers: withType, body: Buffer.from(toJson(rule)) }
}

function withRemoval(options: GuardOptions) {
  const { client, headers, draft } = options
  const remove = (index: number) =>
    guardedDelete({ method: 'DELETE', path: `/api/rules/${index}`, headers, body: null }, options, null)
  const addUnguarded = async (rule: Draft) => {
    const request = requestToAdd(rule, options)
    announce(request, options)
    return (await client(request)).exchange
  }
  return { ...options, remove, addAnother: draft === null ? null : () => addUnguarded(draft()) }
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
export function guardLeased(
  options: Omit<GuardOptions, 'headers' | 'isOwn' | 'additions' | 'removals' | 'draft'>,
): Client {
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

/** Records raw bytes that are not a read before they are sent. Null options: the server has no foreign rules. */
export function guardRaw(
  raw: RawClient,
  { ledger, note }: Pick<GuardOptions, 'ledger' | 'note'>,
  around: GuardOptions | null,
): RawClient {
  return guardRawWrites(raw, (body, send) => {
    const open = requireLedger(ledger, 'a request of raw bytes')
    const recorded = () => {
      open.append({ event: 'write', request: 'raw bytes', body, logins: note(body) })
      return send()
    }
    if (around === null) return recorded()
    // A check may send other requests while the connection of these bytes is open, so they wait for no turn.
    return sendAddition(recorded, ({ responses }) => responses.at(-1)?.exchange ?? null, {
      ...withRemoval(around),
      isNested: true,
    })
  })
}

async function guardedDelete(
  request: Request,
  options: GuardOptions,
  addOwn: RemovalOptions['addOwn'],
): Promise<HttpResponse> {
  const { ledger, watch, isOwn, removals } = options
  if (removals.wrong !== null) throw removals.wrong
  const before = await readList(options)
  watch.see(before)
  const named = ruleNamedBy(request.path, before)
  if (named !== undefined && !isOwn(named)) {
    throw new ConcurrentEdit('the index of a rule of the kit now belongs to a foreign rule', [describeRule(named)])
  }
  if (named === undefined) announce(request, options)
  else ledger?.append({ event: 'remove', index: named.index, rule: contentOf(named) })
  const verify = async (response: HttpResponse | null) => {
    await verifyRemoval({ request, response, before, after: await readList(options), named }, { ...options, addOwn })
  }
  const response = await sendRemoval(request, before, options).catch(async (error: unknown) => {
    // Without a response the list shows what was removed.
    if (error instanceof NoResponse) await verify(null)
    throw error
  })
  await verify(response)
  return response
}

/** Sends a DELETE right behind the read of the list, on the same connection. */
async function sendRemoval(request: Request, before: readonly Rule[], options: GuardOptions): Promise<HttpResponse> {
  const { client } = options
  try {
    return await client({ ...request, followsRead: true })
  } catch (error) {
    // The server may have closed the connection after the read. Then nothing has changed.
    if (!(error instanceof NoResponse && isOfReusedConnection(error.cause))) throw error
    if (!isSameList(before, await readList(options))) throw error
    return client(request)
  }
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

function lineOf({ method, path }: Request): string {
  return `${method} ${path}`
}
