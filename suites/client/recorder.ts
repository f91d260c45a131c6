import type { Exchange } from './exchange.ts'
import { redactedStart } from './redact.ts'

const bodyLimit = 4_096
const keptFirst = 10
const keptLast = 50

/** Keeps the exchanges of one check, redacted and cut to a size that a report can hold. */
export interface Recorder {
  /** Stores one exchange; the one returned is safe to show. */
  record(exchange: Omit<Exchange, 'id'>): Exchange
  /** Keeps exchanges of an earlier check once more, because this one rests on them too. */
  recall(exchanges: readonly Exchange[]): void
  /** The exchanges since the last call, and how many of them were left out. */
  take(): { readonly exchanges: readonly Exchange[]; readonly omitted: number }
}

/** A recorder that passes every text through `redact` before it keeps it. */
export function createRecorder(redactText: (text: string) => string): Recorder {
  const redact = remembering(redactText)
  let kept: Exchange[] = []
  let omitted = 0
  let count = 0

  const keep = (exchange: Exchange) => {
    kept.push(exchange)
    if (kept.length > keptFirst + keptLast) {
      kept.splice(keptFirst, 1)
      omitted += 1
    }
  }

  return {
    record(exchange) {
      count += 1
      const safe = redactExchange({ ...exchange, id: `x${count}` }, redact)
      keep(safe)
      return safe
    },
    recall(exchanges) {
      const known = new Set(kept.map(({ id }) => id))
      for (const exchange of exchanges.filter(({ id }) => !known.has(id))) keep(exchange)
    },
    take() {
      const taken = { exchanges: kept, omitted }
      kept = []
      omitted = 0
      return taken
    },
  }
}

/** Most of what is recorded are the same few headers, again and again. */
function remembering(redact: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const safe = redact(text)
    if (text.length <= longestRemembered && known.size < mostRemembered) known.set(text, safe)
    return safe
  }
}

const longestRemembered = 100
const mostRemembered = 1_000

function redactExchange(exchange: Exchange, redact: (text: string) => string): Exchange {
  const { request, response } = exchange
  return {
    ...exchange,
    failure: exchange.failure === null ? null : redact(exchange.failure),
    request: {
      method: redact(request.method),
      url: redact(request.url),
      headers: redactHeaders(request.headers, redact),
      body: redactBody(request.body, redact),
    },
    response: response && {
      status: response.status,
      ...(response.reason === undefined ? {} : { reason: redact(response.reason) }),
      headers: redactHeaders(response.headers, redact),
      body: redactBody(response.body, redact),
    },
  }
}

function redactHeaders(
  headers: Exchange['request']['headers'],
  redact: (text: string) => string,
): Exchange['request']['headers'] {
  return headers.map(([name, value]) => [redact(name), redact(value)] as const)
}

function redactBody(body: string | null, redact: (text: string) => string): string | null {
  if (body === null) return null
  const { start, more } = redactedStart(body, bodyLimit, redact)
  return more === 0 ? start : `${start}… (${more} more characters)`
}
