import { isOfReusedConnection, type Request } from '../client/client.ts'
import { type HttpResponse, NoResponse } from '../client/response.ts'
import { contentOf, describeRule, isSameList, type Rule } from '../model/rule.ts'
import { findCause, type Repetition } from './ambiguous-change.ts'
import { explain, type ListStep, namedBy, type Operation } from './explain.ts'
import { ConcurrentEdit } from './list-change-errors.ts'
import { differences } from './list-state.ts'
import { announce, type ProtectedList, type RunList, readBefore, readList, sendAndVerify } from './protected-list.ts'

/** @param repeat creates a repetition of the request if the server may be at fault; null if it must not be repeated */
export async function sendRemoval(
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
  const removal = {
    send: () => sendAfterRead(request, before, list),
    exchangeOf: ({ exchange }: HttpResponse) => exchange,
  }
  return sendAndVerify(removal, list, (answer, after) => {
    const repetition = answer.status === null ? null : (repeat?.(named) ?? null)
    return verifyRemoval({ operation, ...answer, before, after }, repetition, list)
  })
}

function operationOf({ path }: Request): Operation {
  return { kind: 'remove', index: indexIn(path) }
}

function announceRemoval(request: Request, named: Rule | undefined, list: ProtectedList): void {
  if (named === undefined) announce(request, list)
  else list.ledger?.append({ event: 'remove', index: named.index, rule: contentOf(named) })
}

/** Sends a DELETE directly after the read of the list, on the same connection. */
async function sendAfterRead(request: Request, before: readonly Rule[], list: ProtectedList): Promise<HttpResponse> {
  try {
    return await list.client({ ...request, followsRead: true })
  } catch (error) {
    // The server may have closed the connection after the read, in which case nothing has changed.
    if (!(error instanceof NoResponse && isOfReusedConnection(error.cause))) throw error
    if (!isSameList(before, await readList(list))) throw error
    return list.client(request)
  }
}

/**
 * Throws `ForeignRuleLost` if the server is at fault for what a DELETE did, and `ConcurrentEdit` if others may be. A
 * rule is added again only if it is certain that no other client removed it.
 */
async function verifyRemoval(step: ListStep, repetition: Repetition | null, list: ProtectedList): Promise<void> {
  const { ledger, watch, knowledge, isOwn } = list
  const explanation = explain(step, isOwn)
  const cause = explanation.kind === 'expected' ? null : await findCause(explanation, step, repetition, list)
  if (cause !== null) throw cause
  knowledge.unclear = 0
  ledger?.append({ event: 'confirmed' })
  watch.see(step.after)
}

/** Null if another client changed the list. */
export async function removeAgain(
  request: Request,
  before: readonly Rule[],
  named: Rule | undefined,
  list: RunList,
): Promise<ListStep | null> {
  const operation = operationOf(request)
  const now = await readList(list)
  const isSameIndex = (namedBy({ operation, before: now }) === undefined) === (named === undefined)
  if (!isSameIndex || differences(before, now).length > 0) return null
  announceRemoval(request, named, list)
  const { status, exchange } = await list.client({ ...request, followsRead: true })
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
