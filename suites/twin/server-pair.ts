import { sendLargeBody, sendMethod } from '../checks/plugin/catalogue/observe.ts'
import { type Exchange, isRead } from '../client/exchange.ts'
import { type HttpResponse, NoResponse, orNoResponse, orNull } from '../client/response.ts'
import type { Rule } from '../model/rule.ts'
import type { PluginContext } from '../runner/plugin/context.ts'
import type { PluginRequest } from '../session/plugin.ts'
import { rulesOrNull } from '../session/rules.ts'
import { type ComparedResponse, type ComparisonScope, compare, type Difference } from './compare.ts'

export interface ComparedServer {
  readonly context: PluginContext
  /** Restores the initial list. */
  reset(): Promise<void>
}

/** A request for both servers. A function receives the key of each server. */
export type SharedRequest = PluginRequest | ((key: string) => PluginRequest)

/** Two servers that get the same requests, one after the other. Each pair of responses is compared at once. */
export type ServerPair = ReturnType<typeof createServerPair>

export class ServersDiffer extends Error {
  override readonly name = 'ServersDiffer'
  readonly found: {
    readonly sent: readonly Exchange[]
    readonly target: ComparedResponse
    readonly twin: ComparedResponse
    readonly differences: readonly Difference[]
  }

  constructor(found: ServersDiffer['found']) {
    super('The two servers responded differently.')
    this.found = found
  }
}

export interface ServerPairOptions {
  readonly target: ComparedServer
  readonly twin: ComparedServer
  readonly scope: ComparisonScope
  readonly isOwn: (rule: Rule) => boolean
  readonly capacity: number | null
  /** Called before each request to both. Throws if the budget is used up. */
  readonly spend: () => void
  /** Called for each difference in error texts only. */
  readonly onWording: (difference: Difference) => void
}

const listRequest: PluginRequest = { method: 'GET', path: '/api/rules' }

export function createServerPair(options: ServerPairOptions) {
  const { scope, spend, onWording, isOwn, capacity } = options
  const [target, twin] = [options.target.context, options.twin.context]
  const sent: Exchange[] = []
  let known: readonly Rule[] | null = null

  const requireEqual = (left: ComparedResponse, right: ComparedResponse) => {
    const differences = compare(left, right, scope, sent.at(-1)?.request)
    for (const difference of differences) if (difference.wording) onWording(difference)
    if (differences.every(({ wording }) => wording)) return
    throw new ServersDiffer({ sent: [...sent], target: left, twin: right, differences })
  }
  const sendToBoth = async (ask: (server: PluginContext) => Promise<HttpResponse>): Promise<HttpResponse | null> => {
    spend()
    const left = await orNoResponse(ask(target))
    sent.push(left.exchange)
    const response = left instanceof NoResponse ? null : left
    requireEqual(response, await orNull(ask(twin)))
    return response
  }
  const readLists = async () => {
    const response = await sendToBoth(({ main }) => main.plugin.send(listRequest))
    // The list is read only to compare it, so this is not part of the sequence.
    sent.pop()
    // If both return the same invalid list, steps see no rules.
    known = (response && rulesOrNull(response)) ?? []
    return known
  }
  const sendRaw = async (line: string, ask: typeof sendMethod, what: string) => {
    spend()
    const responseOf = async ({ main }: PluginContext) => (await ask(main, what)).responses[0] ?? null
    const left = await responseOf(target)
    // Raw bytes are shown by their first line, because curl cannot send them.
    const request = { method: 'RAW', url: target.settings.target.url, headers: [], body: `${line} HTTP/1.1` }
    sent.push({ id: 'raw', startedAt: '', durationMs: 0, request, response: null, failure: null })
    requireEqual(left, await responseOf(twin))
    return left
  }
  const list = async () => known ?? (await readLists())

  return {
    /** The exchanges with the target, in order. */
    sent: sent as readonly Exchange[],
    capacity,
    draft: target.draft,
    /** The last list that both returned. */
    list,
    own: async () => (await list()).filter(isOwn),
    /** Sends to both. Returns the response of the target, or null if there is none. */
    async send(request: SharedRequest) {
      const made = (key: string) => (typeof request === 'function' ? request(key) : request)
      const { body } = made('')
      const isLarge = typeof body === 'string' && body.length > 2 ** 20
      const response = isLarge
        ? await sendRaw('POST /api/rules', sendLargeBody, body)
        : await sendToBoth(({ main, settings }) => main.plugin.send(made(settings.target.key)))
      if (!isRead(made('').method)) await readLists()
      return response
    },
    /** Requests `/api/status` with a method that no HTTP library would send. */
    sendMethod: (method: string) => sendRaw(`${method} /api/status`, sendMethod, method),
  }
}
