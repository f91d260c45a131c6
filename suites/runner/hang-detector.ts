import type { Request } from '../client/request.ts'
import type { Wait, Waits } from '../client/wait.ts'
import type { Draft } from '../model/rule.ts'

export interface ObservedServer {
  readonly url: string
  readonly key: string
  readonly timeoutMs: number
}

/** How often a kind hangs before it gets a short limit. */
const requiredHangs = 3

/** After this many hangs of any kind all limits are short. A check is still repeated before it fails. */
const maxHangs = 5

/** The shortest limit, in milliseconds and as a share of the usual one. */
const minMs = 500
const minPart = 1 / 20

/** Even slow responses take less than this multiple of the usual time. */
const slowestFactor = 4

/**
 * Learns during a run which kind of request hangs, so that the run does not wait for each of them. A kind is what all
 * hanging requests have in common and no other request has: an operation, an operation with a property, a request after
 * another one, a later request of a connection, or a response that does not end.
 */
export function createHangDetector() {
  const histories = new Map<string, History>()
  /** The hangs since the last response: a server that answers nothing says nothing about kinds. */
  const pending = new Set<string>()
  let isDue = false
  const counts = new Map<string, number>()
  /** Kinds that did not hang at least once. */
  const disproved = new Set<string>()
  let hangs = 0
  const durationsMs: number[] = []

  const begin = (kind: RequestKind, { url, timeoutMs }: ObservedServer): Wait => {
    const history = histories.get(url) ?? { answered: new Set(), disproved: new Map() }
    histories.set(url, history)
    const startedAt = performance.now()
    const noted: string[] = []
    const earlier = [...history.answered]
    // The first is the best explanation.
    const possible = () => [...noted, ...possibleHangs(kind, earlier)]
    const isRepeated = (hang: string) => (counts.get(hang) ?? 0) >= requiredHangs
    const repeated = () => (counts.size === 0 ? [] : possible().filter(isRepeated))
    return {
      known() {
        const sure = repeated().find((hang) => !disproved.has(hang))
        const sentence = sure ?? repeated()[0]
        return sentence === undefined ? null : { sentence, isSure: sure !== undefined }
      },
      limitMs() {
        if (hangs < maxHangs && repeated().length === 0) return timeoutMs
        return Math.min(timeoutMs, Math.max(minMs, minPart * timeoutMs, slowest(durationsMs) * slowestFactor))
      },
      note: (hang) => noted.push(hang),
      ended(status) {
        durationsMs.push(performance.now() - startedAt)
        if (isDue) hangs += 1
        isDue = false
        for (const hang of pending) counts.set(hang, (counts.get(hang) ?? 0) + 1)
        pending.clear()
        const kindId = [kind.operation, ...kind.variants].join()
        // A run sends thousands of requests, and most disprove nothing new.
        const isNew = counts.size > 0 || history.disproved.get(kindId) !== earlier.length
        for (const hang of isNew ? possible() : noted) {
          counts.delete(hang)
          disproved.add(hang)
        }
        history.disproved.set(kindId, earlier.length)
        if (status === null) return
        for (const request of new Set([kind.operation, kind.variants[0] ?? kind.operation])) {
          const answered = `${request} was answered with ${status}`
          history.answered.delete(answered)
          history.answered.add(answered)
        }
      },
      hung() {
        isDue ||= kind.operation !== incomplete
        for (const hang of possible()) pending.add(hang)
      },
    }
  }
  const changes = ['POST /api/rules', 'DELETE /api/rules/{index}'].map((operation) => ({ operation, variants: [] }))
  return {
    at: (server: ObservedServer): Waits => ({
      forRequest({ body, ...request }) {
        return begin(kindOf({ ...request, body: body?.toString('utf8') ?? null }, server.key), server)
      },
      forBytes: (text, endsAfter) =>
        begin(endsAfter ? { operation: incomplete, variants: [] } : kindOfBytes(text, server.key), server),
    }),
    /** Which ordinary change of this server would hang now; null while unknown. */
    ofChanges: (server: ObservedServer) =>
      changes.map((kind) => begin(kind, server).known()).find((known) => known !== null) ?? null,
    /** Must be called when the server was restarted: earlier requests no longer matter. */
    forget: (url: string) => void histories.delete(url),
  }
}

/** The requests to a server since its start. */
interface History {
  /** The answered requests, the latest last. Nothing is forgotten, so an equal size means an equal content. */
  readonly answered: Set<string>
  /** By the kind of a request that did not hang: the size of `answered` when it began. */
  readonly disproved: Map<string, number>
}

/** No response is due to this request. */
const incomplete = 'a request of a client that ends its side of the connection'

/** The possible reasons why a request of this kind hangs after these requests, the latest first. */
function possibleHangs({ operation, variants }: RequestKind, earlier: readonly string[]): readonly string[] {
  const isChange = /^(POST|DELETE) /.test(operation)
  const subjects = [`${operation} has no response`, ...(isChange ? ['no change has a response'] : [])]
  return [
    ...[operation, ...variants].map((request) => `${request} has no response`),
    ...earlier.toReversed().flatMap((answered) => subjects.map((subject) => `${subject} since ${answered}`)),
  ]
}

function slowest(durationsMs: readonly number[]): number {
  const last = durationsMs.slice(-500).toSorted((one, other) => one - other)
  return last[Math.floor(last.length * 0.95)] ?? 0
}

interface RequestKind {
  /** For example `DELETE /api/rules/{index}`. */
  readonly operation: string
  /** The operation with each property that a server may handle differently, most important first. */
  readonly variants: readonly string[]
}

type Sent = Pick<Request, 'method' | 'path' | 'headers'> & { readonly body: string | null }

const documentedPaths = ['/api/status', '/api/rules', '/v1/account', '/v1/trading-accounts']

/** The kind of the first request in raw bytes. */
function kindOfBytes(text: string, key: string): RequestKind {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const [, method, path] = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(line) ?? []
  if (method === undefined || path === undefined) return { operation: 'malformed HTTP', variants: [] }
  const headers = Object.fromEntries(fields.map((field) => field.split(/: ?/, 2)))
  // A body in chunks is not decoded.
  const body = 'Content-Length' in headers ? rest.join('\r\n\r\n').slice(0, Number(headers['Content-Length'])) : null
  return kindOf({ method: method as Request['method'], path, headers, body }, key)
}

function kindOf({ method, path, headers, body }: Sent, key: string): RequestKind {
  const [address = ''] = path.split('?', 1)
  const [, segment] = /\/api\/rules\/([^/]+)$/.exec(address) ?? []
  const known = segment === undefined ? documentedPaths.find((one) => address.endsWith(one)) : '/api/rules/{index}'
  const operation = `${method} ${known ?? 'of another path'}`
  const properties = [
    [!Object.values(headers).some((value) => value === key || value === `Bearer ${key}`), 'without the right key'],
    [path.includes('?'), 'with a query'],
    [segment !== undefined && !/^\d+$/.test(segment), 'with an index that is no integer'],
    [operation === 'POST /api/rules' && body !== null && !isRule(body), 'with an invalid body'],
    [method !== 'POST' && body !== null && body !== '', 'with a body'],
  ] as const
  return { operation, variants: properties.flatMap(([is, text]) => (is ? `${operation} ${text}` : [])) }
}

function isRule(body: string): boolean {
  try {
    const { master, follower, mode, value, direction } = JSON.parse(body) as Draft
    const areWords = ['mult', 'multiplier', 'fixed'].includes(mode) && ['same', 'reverse'].includes(direction)
    return [master, follower].every(Number.isInteger) && areWords && Number(value) > 0
  } catch {
    return false
  }
}
