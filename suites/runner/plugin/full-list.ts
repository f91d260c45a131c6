import type { Exchange } from '../../client/exchange.ts'
import type { Observer } from '../../client/observed.ts'
import type { Rule } from '../../model/rule.ts'
import { differences } from '../../safety/list-state.ts'
import { listIn } from '../../session/rules.ts'
import type { LaunchedServer } from '../../session/session.ts'
import type { PluginContext } from './context.ts'

type Launched = Pick<LaunchedServer, 'url' | 'plugin' | 'rules' | 'copied'>

/** Records the longest list of this server to which a rule had just been added: with fewer rules it is not full. */
export function recordLongestList(url: string) {
  const longest = { length: 0 }
  let isGrown = false
  const observe: Observer = (sent) => (received) => {
    const [response] = received.responses
    if (sent.url !== url || response === undefined) return
    const list = sent.kind === 'request' ? listIn(sent.request, response) : null
    if (isGrown) longest.length = Math.max(longest.length, list?.length ?? 0)
    // A start may load more rules than there is room for.
    isGrown = response.status === 201
  }
  return Object.assign(longest, { observe })
}

/**
 * Why the list was too small for this check; null if that did not cause its failure. The capacity is up to the server
 * (clause 8), so a check without room has judged nothing unless it filled the list. Throws if the list cannot be read.
 */
export async function fullReason(
  context: PluginContext,
  exchanges: readonly Exchange[],
  launched: readonly Launched[] = [],
): Promise<string | null> {
  if (context.filled || context.before === null) return null
  return (await rejectionReason(context, exchanges, launched)) ?? (await startReason(context, launched))
}

/** A POST got 500 because the list is full if the list is as expected and one more rule is rejected. */
async function rejectionReason(
  context: PluginContext,
  exchanges: readonly Exchange[],
  launched: readonly Launched[],
): Promise<string | null> {
  const refused = exchanges.findLast(({ request, response }) => isAddition(request.method) && response?.status === 500)
  if (refused === undefined) return null
  const own = launched.findLast(({ url }) => isAt(refused, url))
  const server = own ?? context.main
  const url = own?.url ?? context.settings.target.url
  const taken = countTaken(exchanges.filter((exchange) => isAt(exchange, url)))
  const list = await server.rules.read()
  if (taken.now < taken.most || list.length < taken.now) return null
  if (url === context.settings.target.url && list.length < context.longestList.length) return null
  const capacity = knownCapacity(context)
  if (capacity !== null && list.length < capacity) return null
  // Foreign rules that were in the list from the start show that the server accepts rules.
  const found = context.owned || context.leased ? 0 : (context.before?.length ?? 0)
  const takesRules = capacity !== null || found + taken.most > 0
  if (!(takesRules ? await rejectsAnother(context, server, list) : await isSeenFull(context, server, list))) return null
  return `the list seems to be full with ${list.length} rules: an ordinary rule is answered with 500 as well`
}

async function startReason(context: PluginContext, launched: readonly Launched[]): Promise<string | null> {
  const copied = Math.max(0, ...launched.map((server) => server.copied))
  // Learns the capacity if one of the lists is full with fewer rules.
  for (const server of [context.main, ...launched.filter((one) => one.copied > 0).slice(-1)]) {
    if (copied === 0 || knownCapacity(context) !== null) break
    const list = await server.rules.read()
    if (list.length < copied) await isSeenFull(context, server, list)
  }
  const capacity = knownCapacity(context)
  if (capacity === null || copied <= capacity) return null
  return `the check starts a server with ${copied} rules, and the list has room for ${capacity}`
}

function knownCapacity({ settings, seenCapacity }: PluginContext): number | null {
  return settings.target.capacity ?? seenCapacity
}

type Server = Pick<Launched, 'plugin' | 'rules'>

async function rejectsAnother(context: PluginContext, server: Server, list: readonly Rule[]): Promise<boolean> {
  const { status } = await server.plugin.add(context.draft())
  return status === 500 && differences(list, await server.rules.read()).length === 0
}

/**
 * Whether a list with only its initial rules is full: it accepts one rule after removals, and no more. More than one must
 * go if a start loads too many. Tested only on a server of the kit's own, which is recreated if a rule is lost.
 */
async function isSeenFull(context: PluginContext, server: Server, list: readonly Rule[]): Promise<boolean> {
  if (!context.owned || list.length === 0 || !(await rejectsAnother(context, server, list))) return false
  for (const { index } of list.toReversed()) {
    if ((await server.plugin.remove(index)).status !== 200) return false
    const { status } = await server.plugin.add(context.draft())
    if (status === 500) continue
    if (status !== 201) return false
    const now = await server.rules.read()
    const isFullAgain = await rejectsAnother(context, server, now)
    if (isFullAgain) context.seenCapacity = now.length
    return isFullAgain
  }
  return false
}

/** How many rules of a check a server had according to its responses: at the end, and at most. */
function countTaken(exchanges: readonly Exchange[]) {
  let now = 0
  let most = 0
  for (const { request, response } of exchanges) {
    if (isAddition(request.method) && response?.status === 201) now += 1
    if (request.method === 'DELETE' && response?.status === 200) now -= 1
    most = Math.max(most, now)
  }
  return { now, most }
}

/** The method of raw bytes is unknown, but only an addition gets 201. */
function isAddition(method: string): boolean {
  return method === 'POST' || method === 'RAW'
}

function isAt({ request }: Exchange, url: string): boolean {
  return request.url === url || request.url.startsWith(`${url}/`)
}
