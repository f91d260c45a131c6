import { differences } from '../safety/list-state.ts'
import type { LaunchedServer } from '../session/servers.ts'
import type { Rule } from '../vocabulary/rule.ts'
import type { Context } from './context.ts'
import type { Exchange } from './outcome.ts'

/**
 * Why the server takes no further rule, if that is what was behind a 500 of this check; null if it
 * takes one, or has no right to be full. The capacity is the server's own business (clause 8), so
 * what could not be added to a full list has judged nothing. Filling the list on purpose has. The
 * list must read as it should and be the same before and after one more rule is refused. Throws
 * where that cannot be seen.
 */
export async function whyFull(
  context: Context,
  exchanges: readonly Exchange[],
  launched: readonly Pick<LaunchedServer, 'url' | 'plugin' | 'rules'>[] = [],
): Promise<string | null> {
  if (context.filled || context.before === null) return null
  const refused = exchanges.findLast(isRefused)
  if (refused === undefined) return null
  const own = launched.findLast(({ url }) => isAt(refused, url))
  const { plugin, rules } = own ?? context.main
  const url = own?.url ?? context.settings.target.url
  const taken = countTaken(exchanges.filter((exchange) => isAt(exchange, url)))
  const found = context.owned || context.lent ? 0 : context.before.length
  const list = await rules.read()
  if (!mayBeFull({ list, taken, found, capacity: context.settings.target.capacity })) return null
  const { status } = await plugin.add(context.draft())
  if (status !== 500 || differences(list, await rules.read()).length > 0) return null
  return `the list seems to be full with ${list.length} rules: an ordinary rule is answered with 500 as well`
}

interface Fullness {
  readonly list: readonly Rule[]
  readonly taken: Taken
  /** Rules of others that stood in the list at first: the server does take rules. */
  readonly found: number
  readonly capacity: number | null
}

/** Whether nothing that is known of the server contradicts that it has no room. */
function mayBeFull({ list, taken, found, capacity }: Fullness): boolean {
  if (taken.now < taken.most || list.length < taken.now) return false
  return capacity === null ? found + taken.most > 0 : list.length >= capacity
}

/** How many rules of a check a server held, by its acknowledgements: at the end, and the most at once. */
interface Taken {
  readonly now: number
  readonly most: number
}

function countTaken(exchanges: readonly Exchange[]): Taken {
  let now = 0
  let most = 0
  for (const { request, response } of exchanges) {
    if (isAddition(request.method) && response?.status === 201) now += 1
    if (request.method === 'DELETE' && response?.status === 200) now -= 1
    most = Math.max(most, now)
  }
  return { now, most }
}

function isRefused({ request, response }: Exchange): boolean {
  return isAddition(request.method) && response?.status === 500
}

/** What raw bytes ask for is not known; none but those that add a rule are answered with 201. */
function isAddition(method: string): boolean {
  return method === 'POST' || method === 'RAW'
}

function isAt({ request }: Exchange, url: string): boolean {
  return request.url === url || request.url.startsWith(`${url}/`)
}
