import type { Client, Request } from '../client/client.ts'
import type { RawClient, RawResult } from '../client/raw.ts'
import type { HttpResponse } from '../client/response.ts'
import { type Rule, sameContent } from '../model/rule.ts'
import { createPlugin, type Plugin } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { add, sendAddition } from './addition.ts'
import type { Repetition } from './dispute.ts'
import {
  announce,
  announceWrite,
  createWatch,
  type ForeignList,
  nothingKnown,
  type ProtectedList,
  type RunList,
  readList,
  requestToAdd,
  type Watch,
} from './protected-list.ts'
import { removeAgain, sendRemoval } from './removal.ts'
import { guardRawWrites, guardWrites, requireLedger, UnannouncedRequest } from './write-guard.ts'

/**
 * A client for a server that holds foreign rules. Every list is compared with the previous one. The list is read
 * around each write. Before a DELETE, so that the index of a foreign rule is never sent; after it, so that a
 * foreign rule that was removed because of a concurrent edit is added again at once. Around any other write,
 * since a faulty server may lose a foreign rule when one is added.
 */
export function guardClient(list: ProtectedList): Client {
  const { client, ledger, watch, purpose } = list
  return guardWrites({
    client,
    ledger,
    async write(request) {
      if (purpose.kind !== 'clean-up') purpose.countWrite()
      const isRemoval = request.method === 'DELETE'
      if (purpose.kind === 'leased') {
        announce(request, list)
        return client(request)
      }
      if (purpose.kind === 'run') {
        const run = { ...list, purpose }
        return isRemoval ? sendRemoval(request, run, repeatedRemoval(request, run)) : add(request, run)
      }
      if (isRemoval) return sendRemoval(request, list, null)
      throw new UnannouncedRequest('a clean-up only removes rules')
    },
    see: (request, response) => seeList(watch, request, response),
  })
}

/** The plugin for a clean-up: a client that removes only rules of the kit. */
export function cleanUpPlugin(list: ForeignList, now: readonly Rule[], knowledge = nothingKnown()): Plugin {
  const watch = createWatch(now, list.isOwn)
  return createPlugin(guardClient({ ...list, watch, knowledge, purpose: { kind: 'clean-up' } }), list.key)
}

/** Records raw bytes that are not a read before they are sent. */
export function guardRaw(raw: RawClient, list: ProtectedList): RawClient {
  return guardRawWrites(raw, (body, send) => {
    requireLedger(list.ledger, 'a request of raw bytes')
    const recorded = () => {
      announceWrite('raw bytes', body, list)
      return send()
    }
    const { purpose } = list
    if (purpose.kind !== 'run') return recorded()
    // A check may send other requests while the connection of these bytes is open, so they wait for no turn.
    const exchangeOf = ({ responses }: RawResult) => responses.at(-1)?.exchange ?? null
    return sendAddition({ send: recorded, exchangeOf, isNested: true }, { ...list, purpose })
  })
}

/**
 * A rule of the kit that is removed for this stands between two others of the kit, so that a server that is off
 * by one hits no foreign rule.
 */
function repeatedRemoval(request: Request, list: RunList): (named: Rule | undefined) => Repetition {
  return (named) => async (known) => {
    if (named === undefined) return removeAgain(request, known, undefined, list)
    const drafts = [list.purpose.draft(), list.purpose.draft(), list.purpose.draft()]
    for (const draft of drafts) await add(requestToAdd(draft, list), list, true)
    const now = await readList(list)
    const at = now.findIndex((rule) => sameContent(rule, drafts[1] ?? rule))
    const [first, middle, last] = [now[at - 1], now[at], now[at + 1]]
    if (first === undefined || middle === undefined || last === undefined) return null
    if (!list.isOwn(first) || !list.isOwn(last)) return null
    return removeAgain({ ...request, path: `/api/rules/${middle.index}` }, now, middle, list)
  }
}

/** Compares the list in the response to a read with the previous one. The checks judge an invalid list. */
function seeList(watch: Watch, request: Request, response: HttpResponse): void {
  if (request.method !== 'GET' || request.path !== '/api/rules' || response.status !== 200) return
  let list: readonly Rule[]
  try {
    list = rulesIn(response)
  } catch {
    return
  }
  watch.see(list)
}
