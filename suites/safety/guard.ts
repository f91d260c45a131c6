import { setTimeout as delay } from 'node:timers/promises'
import { type Client, isOfReusedConnection } from '../client/client.ts'
import type { RawClient } from '../client/raw.ts'
import type { Request } from '../client/request.ts'
import { type HttpResponse, isSuccess, NoResponse, orNull } from '../client/response.ts'
import { contentOf, describeRule, isSameList, type Rule, sameContent } from '../model/rule.ts'
import { createPlugin, type Plugin } from '../session/plugin.ts'
import { listIn } from '../session/rules.ts'
import { findCause, type Repetition } from './ambiguous-change.ts'
import { type Answer, answerIn, explain, isRejection, type ListStep, namedBy, type Operation } from './explain.ts'
import { createLastRead } from './last-read.ts'
import { ConcurrentEdit } from './list-change-errors.ts'
import { differences } from './list-state.ts'
import {
  createWatch,
  type ForeignList,
  nothingKnown,
  type ProtectedList,
  type RunList,
  readBefore,
  readList,
  readQuiet,
  recordUnlisted,
  type Sent,
  sendAndVerify,
  stopIfLost,
  unlessLate,
} from './protected-list.ts'
import { guardRawWrites, guardWrites, UnannouncedRequest } from './write-guard.ts'

/**
 * A client for a server with foreign rules. Every list is compared with the previous one, and the list is read around
 * each write: before a DELETE, so that the index of a foreign rule is never sent; after it, so that a foreign rule hit
 * because of a concurrent edit is added again at once; around any other write, since a faulty server may lose a foreign
 * rule when one is added.
 */
export function guardClient(list: RunList): Client {
  return guarded(list, async (request) => {
    list.countWrite()
    if (list.isLeased) return announced(list)(request)
    const isRemoval = request.method === 'DELETE'
    return unlessLate(isRemoval ? sendRemoval(request, list, repeatedRemoval(request, list)) : add(request, list), list)
  })
}

/** A client whose requests are in the ledger before they are sent. */
function announced(list: RunList): Client {
  return (request) => {
    announceRequest(request, list)
    return list.client(request)
  }
}

function announceRequest({ method, path, body }: Request, list: ProtectedList): void {
  announce(`${method} ${path}`, body?.toString('utf8') ?? '', list)
}

function announce(request: string, body: string, { ledger, note }: ProtectedList): void {
  ledger?.append({ event: 'write', request, body, logins: note(body) })
}

function guarded(list: ProtectedList, write: Client): Client {
  const served = list.lastRead.serve(list.client)
  const read: Client = async (request) => {
    const response = await served(request)
    // The checks judge an invalid list.
    const rules = listIn(request, response)
    if (rules !== null) list.watch.see(rules)
    return response
  }
  return guardWrites(read, list.ledger, write)
}

/** The plugin for a clean-up: a client that removes only rules of the kit. */
export function cleanUpPlugin(foreign: ForeignList, now: readonly Rule[], knowledge = nothingKnown()): Plugin {
  const watch = createWatch(now, foreign.isOwn)
  const list: ProtectedList = { ...foreign, watch, knowledge, lastRead: createLastRead(), note: () => [] }
  const client = guarded(list, async (request) => {
    if (request.method === 'DELETE') return sendRemoval(request, list, null)
    throw new UnannouncedRequest('a clean-up only removes rules')
  })
  return createPlugin(client, list.key)
}

/** Records raw bytes that are not a read before they are sent. */
export function guardRaw(raw: RawClient, list: RunList): RawClient {
  return guardRawWrites(raw, list.ledger, (body, send) => {
    const recorded = async () => {
      announce('raw bytes', body, list)
      const result = await send()
      return { ...result, exchange: result.responses.at(-1)?.exchange ?? null }
    }
    // A check may send other requests while the connection of these bytes is open, so the mutex is not used.
    return list.isLeased ? recorded() : unlessLate(sendAddition({ send: recorded, isNested: true }, list), list)
  })
}

/**
 * Removes a rule between two others of the kit, so that a server that is off by one hits no foreign rule. A DELETE without
 * an index that emptied the list can only remove these three.
 */
function repeatedRemoval(request: Request, list: RunList): (named: Rule | undefined) => Repetition {
  return (named) => async (known) => {
    if (named === undefined && known.length > 0) return removeAgain(request, known, undefined, list)
    const plugin = createPlugin((nested) => add(nested, list, true), list.key)
    const drafts = [list.draft(), list.draft(), list.draft()]
    for (const draft of drafts) await plugin.add(draft)
    const now = await readList(list)
    if (named === undefined) return now.every(list.isOwn) ? removeAgain(request, now, undefined, list) : null
    const at = now.findIndex((rule) => sameContent(rule, drafts[1] ?? rule))
    const [first, middle, last] = [now[at - 1], now[at], now[at + 1]]
    if (first === undefined || middle === undefined || last === undefined) return null
    if (!list.isOwn(first) || !list.isOwn(last)) return null
    return removeAgain({ ...request, path: `/api/rules/${middle.index}` }, now, middle, list)
  }
}

function add(request: Request, list: RunList, isNested = false): Promise<HttpResponse> {
  const { wrong } = list.knowledge
  // A rule of the kit that is added now could not be removed.
  if (wrong !== null) return Promise.reject(wrong)
  return sendAddition({ send: () => announced(list)(request), isNested }, list)
}

interface Addition<Response extends Sent> {
  readonly send: () => Promise<Response>
  /** Whether it is sent during another request, so that it must not wait for the mutex. */
  readonly isNested: boolean
}

/**
 * Sends a request that may add a rule, and reads the list before and after it, so that at most one such request can harm
 * the foreign rules. Throws `ServerFault`, after which nothing is sent, or `ConcurrentEdit`.
 */
async function sendAddition<Response extends Sent>(addition: Addition<Response>, list: RunList): Promise<Response> {
  const { knowledge, watch } = list
  await stopIfLost(list)
  if (watch.others.length === 0) return addition.send()
  const before = await readBefore(list)
  const { turn } = knowledge
  if (addition.isNested || before.length + knowledge.pending < knowledge.longest) {
    return sendBetweenReads(addition, before, list)
  }
  const mustWait = turn.isLocked()
  return turn.runExclusive(async () => {
    // Another addition may have shown a loss meanwhile.
    await stopIfLost(list)
    return sendBetweenReads(addition, mustWait ? await readBefore(list) : before, list)
  })
}

async function sendBetweenReads<Response extends Sent>(
  addition: Addition<Response>,
  before: readonly Rule[],
  list: RunList,
): Promise<Response> {
  const { knowledge } = list
  await stopIfLost(list)
  knowledge.pending += 1
  try {
    const mustShow = ({ status }: Answer) => status === 201 && !knowledge.hidesAdditions
    return await sendAndVerify({ send: addition.send, before, mustShow }, list, (answer, after) => {
      if (mustShow(answer) && isSameList(before, after)) recordUnlisted(list)
      return verifyAddition(addition, { operation: { kind: 'add' }, ...answer, before, after }, list)
    })
  } finally {
    knowledge.pending -= 1
  }
}

async function verifyAddition(addition: Addition<Sent>, step: ListStep, list: RunList): Promise<void> {
  const { knowledge, watch, isOwn } = list
  await stopIfLost(list)
  const explanation = explain(step, isOwn)
  if (explanation === null) {
    knowledge.longest = Math.max(knowledge.longest, step.after.length)
    return watch.see(step.after)
  }
  // Concurrent requests see the same loss. Only the first one determines the reason.
  const { remove } = createPlugin((request) => sendRemoval(request, list, null), list.key)
  knowledge.lost = findCause(explanation, step, repeatedAddition(addition, step, list), list, remove)
  await stopIfLost(list)
}

/** A rejected request is repeated unchanged. Otherwise another rule is added, since a server may reject an equal one. */
function repeatedAddition(addition: Addition<Sent>, step: ListStep, list: RunList): Repetition | null {
  const addAnother = () => createPlugin(announced(list), list.key).add(list.draft())
  const isRejected = isRejection(step)
  // Repeating a nested addition would deadlock: its requests wait until this loss is explained.
  if (isRejected && addition.isNested) return null
  return async (before) => {
    const sent = await orNull<Sent>(isRejected ? addition.send() : addAnother())
    const answer = answerIn(sent?.exchange ?? null)
    return { operation: step.operation, ...answer, before, after: await readList(list) }
  }
}

/** @param repeat creates a repetition of the request if the server may be at fault; null if it must not be repeated */
async function sendRemoval(
  request: Request,
  list: ProtectedList,
  repeat: ((named: Rule | undefined) => Repetition) | null,
): Promise<HttpResponse> {
  const { knowledge, isOwn } = list
  if (knowledge.wrong !== null) throw knowledge.wrong
  const before = await readBefore(list)
  const operation = operationOf(request)
  const named = namedBy({ operation, before })
  if (named !== undefined && !isOwn(named)) {
    throw new ConcurrentEdit('the index of a rule of the kit now belongs to a foreign rule', [describeRule(named)])
  }
  announceRemoval(request, named, list)
  // If only rules of the kit follow, another DELETE of this index can remove no foreign rule.
  const isRisky = named !== undefined && !before.slice(before.indexOf(named)).every(isOwn)
  const mustShow = (answer: Answer) => isRisky && isSuccess(answer)
  const send = () => sendAfterRead(request, before, list)
  return sendAndVerify({ send, before, mustShow }, list, (answer, after) => {
    // In a list without foreign rules, the same request can only hit rules of the kit.
    const isIgnored = isSameList(before, after) && after.every(isOwn)
    const again: Repetition = (known) => removeAgain(request, known, named, list)
    const repetition = answer.status === null ? null : isIgnored ? again : (repeat?.(named) ?? null)
    return verifyRemoval({ operation, ...answer, before, after }, repetition, list)
  })
}

function operationOf({ path }: Request): Operation {
  return { kind: 'remove', index: indexIn(path) }
}

function announceRemoval(request: Request, named: Rule | undefined, list: ProtectedList): void {
  if (named === undefined) announceRequest(request, list)
  else list.ledger?.append({ event: 'remove', index: named.index, rule: contentOf(named) })
}

/** Sends a DELETE directly after the read of the list, on the same connection if the server keeps it open. */
async function sendAfterRead(request: Request, before: readonly Rule[], list: ProtectedList): Promise<HttpResponse> {
  const { client, knowledge } = list
  try {
    return await client({ ...request, followsRead: knowledge.closesConnections ? 'own' : 'shared' })
  } catch (error) {
    if (!(error instanceof NoResponse && isOfReusedConnection(error.cause))) throw error
    knowledge.closesConnections = true
    // The server may have carried out the request before it closed the connection, or may still do so, and a late list
    // may not show it yet.
    await delay(2 * knowledge.lateMs)
    const now = await readQuiet(before, list)
    if (now === null || !isSameList(before, now)) throw error
    return client({ ...request, followsRead: 'own' })
  }
}

/**
 * Throws `ServerFault` if the server is at fault for what a DELETE did, and `ConcurrentEdit` if others may be. A
 * rule is added again only if it is certain that no other client removed it.
 */
async function verifyRemoval(step: ListStep, repetition: Repetition | null, list: ProtectedList): Promise<void> {
  const { ledger, watch, knowledge, isOwn } = list
  const explanation = explain(step, isOwn)
  const cause = explanation && (await findCause(explanation, step, repetition, list))
  if (cause !== null) throw cause
  knowledge.unclear = 0
  ledger?.append({ event: 'confirmed' })
  watch.see(step.after)
}

/** Null if another client changed the list. */
async function removeAgain(
  request: Request,
  before: readonly Rule[],
  named: Rule | undefined,
  list: ProtectedList,
): Promise<ListStep | null> {
  const operation = operationOf(request)
  const now = await readList(list)
  const hit = namedBy({ operation, before: now })
  const isSameRule = named === undefined ? hit === undefined : hit !== undefined && sameContent(hit, named)
  if (!isSameRule || differences(before, now).length > 0) return null
  announceRemoval(request, named, list)
  const { status, exchange } = await sendAfterRead(request, now, list)
  return { operation, status, exchange, before, after: await readList(list) }
}

/** The index that a server may read in a path in any spelling; null if it can read none. */
function indexIn(path: string): number | null {
  const [, segment = ''] = /^\/api\/rules\/([^/?]+)(?:\?.*)?$/.exec(path) ?? []
  const text = decoded(segment)
    .replaceAll(/[\s+_]/g, '')
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
  return /^\d+$/.test(text) ? Number(text) : null
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
