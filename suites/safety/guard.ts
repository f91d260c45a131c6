import type { Client, Request } from '../client/client.ts'
import type { RawClient } from '../client/raw.ts'
import type { HttpResponse } from '../client/response.ts'
import { type Rule, sameContent } from '../model/rule.ts'
import { createPlugin, type Plugin } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { add, sendAddition } from './addition.ts'
import type { Repetition } from './dispute.ts'
import {
  announce,
  createWatch,
  type ForeignList,
  nothingKnown,
  type ProtectedList,
  type RunList,
  type RunPurpose,
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
    admit: () => purpose.kind === 'run' && purpose.countWrite(),
    async send(request) {
      const isRemoval = request.method === 'DELETE'
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

/**
 * A client for a leased server. The temporary key gives the kit exclusive access, so a DELETE cannot hit
 * a foreign rule. Writes are recorded and counted all the same, and a foreign rule stops the run.
 */
export function guardLeased(
  list: Pick<ProtectedList, 'client' | 'ledger' | 'watch'>,
  purpose: Pick<RunPurpose, 'note' | 'countWrite'>,
): Client {
  const { client, ledger, watch } = list
  return guardWrites({
    client,
    ledger,
    admit: purpose.countWrite,
    async send(request) {
      announce(request, list, purpose.note)
      return client(request)
    },
    see: (request, response) => seeList(watch, request, response),
  })
}

/** Records raw bytes that are not a read before they are sent. Null: the server has no foreign rules. */
export function guardRaw(
  raw: RawClient,
  { ledger, note }: Pick<ForeignList, 'ledger'> & Pick<RunPurpose, 'note'>,
  list: RunList | null,
): RawClient {
  return guardRawWrites(raw, (body, send) => {
    const open = requireLedger(ledger, 'a request of raw bytes')
    const recorded = () => {
      open.append({ event: 'write', request: 'raw bytes', body, logins: note(body) })
      return send()
    }
    if (list === null) return recorded()
    // A check may send other requests while the connection of these bytes is open, so they wait for no turn.
    const exchangeOf = ({ responses }: Awaited<ReturnType<RawClient>>) => responses.at(-1)?.exchange ?? null
    return sendAddition({ send: recorded, exchangeOf, isNested: true }, list)
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
