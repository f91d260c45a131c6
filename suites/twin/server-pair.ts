import { FailedExpectation } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { type HttpResponse, NoResponse } from '../client/response.ts'
import type { Draft, Rule } from '../model/rule.ts'
import type { Access } from '../runner/plugin/context.ts'
import type { PluginRequest } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { compare, type Difference, describePlace, type Seen, type Terms } from './compare.ts'

/** One of the two servers. */
export interface PairedServer {
  readonly access: Access
  readonly url: string
  readonly key: string
  /** Brings the list back to the one at the start. */
  reset(): Promise<void>
}

/** A request for both; where it holds the key, each gets its own. */
export type SharedRequest = PluginRequest | ((key: string) => PluginRequest)

/** Two servers that are asked the same, one after the other. Each answer is compared at once. */
export interface ServerPair {
  /** Sends to both; returns the answer of the target, null if there was none. */
  send(request: SharedRequest): Promise<HttpResponse | null>
  /** GET /api/status with a method that no HTTP library would send. */
  sendMethod(method: string): Promise<void>
  /** The list of both, as it was read last. */
  list(): Promise<readonly Rule[]>
  /** The rules of the kit in it. */
  own(): Promise<readonly Rule[]>
  draft(changes?: Partial<Draft>): Draft
  /** The capacity of both; null where it is not known. */
  readonly capacity: number | null
  /** What was sent to the target, in order. */
  readonly sent: readonly Exchange[]
}

/** The two servers answered differently. */
export class Divergence extends Error {
  override readonly name = 'Divergence'
  readonly step: string
  readonly sent: readonly Exchange[]
  readonly target: Seen
  readonly twin: Seen
  readonly differences: readonly Difference[]

  constructor(found: Pick<Divergence, 'step' | 'sent' | 'target' | 'twin' | 'differences'>) {
    super(found.differences.map(({ place, target, twin }) => `${describePlace(place)}: ${target} / ${twin}`).join('; '))
    this.step = found.step
    this.sent = found.sent
    this.target = found.target
    this.twin = found.twin
    this.differences = found.differences
  }
}

/** No more requests may be sent. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
}

export interface ServerPairOptions {
  readonly target: PairedServer
  readonly twin: PairedServer
  readonly terms: Terms
  readonly draft: (changes?: Partial<Draft>) => Draft
  readonly isOwn: (rule: Rule) => boolean
  readonly capacity: number | null
  /** Called before each request to both; throws where no more may be sent. */
  readonly spend: () => void
  /** Told of each difference in words alone. */
  readonly onWording: (difference: Difference) => void
}

const listRequest: PluginRequest = { method: 'GET', path: '/api/rules' }

/** A duo for one sequence; `step` names the step at hand. */
export function createServerPair(options: ServerPairOptions, step: () => string): ServerPair {
  const { target, twin, terms, spend, onWording, draft, isOwn, capacity } = options
  const sent: Exchange[] = []
  let known: readonly Rule[] | null = null

  const judge = (one: Seen, other: Seen) => {
    const differences = compare(one, other, terms)
    for (const difference of differences) if (difference.wording) onWording(difference)
    if (differences.every(({ wording }) => wording)) return
    throw new Divergence({ step: step(), sent: [...sent], target: one, twin: other, differences })
  }
  const askBoth = async (ask: (side: PairedServer) => Promise<HttpResponse>): Promise<HttpResponse | null> => {
    spend()
    const one = await silent(() => ask(target))
    sent.push(one.exchange)
    const other = await silent(() => ask(twin))
    judge(one.response, other.response)
    return one.response
  }
  const readLists = async () => {
    const response = await askBoth(({ access }) => access.plugin.send(listRequest))
    // The list is read to compare: only a difference in it belongs to the story.
    sent.pop()
    known = response === null ? [] : listed(response)
    return known
  }
  const list = async () => known ?? (await readLists())

  return {
    sent,
    capacity,
    draft,
    list,
    own: async () => (await list()).filter(isOwn),
    async send(request) {
      const made = (key: string) => (typeof request === 'function' ? request(key) : request)
      const response = await askBoth(({ access, key }) => access.plugin.send(made(key)))
      if (!['GET', 'HEAD', 'OPTIONS'].includes(made('').method)) await readLists()
      return response
    },
    async sendMethod(method) {
      spend()
      const one = await sendRaw(target, method)
      const other = await sendRaw(twin, method)
      sent.push(lineSent(target, method))
      judge(one, other)
    },
  }
}

/** A list that is no list, on both sides alike, holds nothing that a step could work with. */
function listed(response: HttpResponse): readonly Rule[] {
  try {
    return rulesIn(response)
  } catch (error) {
    if (error instanceof FailedExpectation) return []
    throw error
  }
}

async function silent(
  ask: () => Promise<HttpResponse>,
): Promise<{ response: HttpResponse | null; exchange: Exchange }> {
  try {
    const response = await ask()
    return { response, exchange: response.exchange }
  } catch (error) {
    if (error instanceof NoResponse) return { response: null, exchange: error.exchange }
    throw error
  }
}

/** Bytes that no curl sends, told by their first line. */
function lineSent({ url }: PairedServer, method: string): Exchange {
  const request = { method: 'RAW', url, headers: [], body: `${method} /api/status HTTP/1.1` }
  return { id: 'raw', startedAt: '', durationMs: 0, request, response: null, failure: null }
}

async function sendRaw({ access, url, key }: PairedServer, method: string): Promise<HttpResponse | null> {
  const { host, pathname } = new URL(url)
  const head = [
    `${method} ${pathname.replace(/\/$/, '')}/api/status HTTP/1.1`,
    `Host: ${host}`,
    `X-API-Key: ${key}`,
    'Connection: close',
  ]
  const { responses } = await access.raw({ bytes: Buffer.from(`${head.join('\r\n')}\r\n\r\n`), responses: 1 })
  return responses[0] ?? null
}
