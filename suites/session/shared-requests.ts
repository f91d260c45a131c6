import { noOpRequests } from './no-op-requests.ts'
import type { PluginRequest } from './plugin.ts'
import { requestsToReject } from './rejected-requests.ts'
import type { Session, SharedExchange } from './session.ts'

/** What the check header says of a check that uses `writesToReject`. */
export const sharesWrites = { shares: 'writes to reject' } as const

/**
 * Writes that must be rejected and requests that ask for no change. A foreign server gets them once, and its list is
 * read after each.
 */
export function writesToReject(session: Session, readsList = !session.owned): AsyncIterable<SharedExchange> {
  return sendOnce(session, sharesWrites.shares, readsList, async ({ arrange, draft }) => {
    const [, rule] = await arrange(2)
    return [...requestsToReject(rule, draft), ...noOpRequests(rule, draft)]
  })
}

/** Sends requests, unless another check has sent them to this server. */
export async function* sendOnce(
  session: Session,
  what: string,
  readsList: boolean,
  requests: (rules: Session['rules']) => Promise<readonly PluginRequest[]>,
): AsyncGenerator<SharedExchange> {
  const { plugin, rules, known } = session
  const found = known.find(what)
  if (found !== null) return yield* found
  const sent: SharedExchange[] = []
  const all = await requests(rules)
  let lists = readsList ? [await plugin.list()] : []
  for (const request of all) {
    const response = await plugin.send(request)
    if (readsList) lists = [...lists.slice(-1), await plugin.list()]
    sent.push({ request, response, lists })
    yield { request, response, lists }
  }
  known.store(what, sent)
}
