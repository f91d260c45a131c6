import { redactedExcerpt } from '../../http/redact.ts'
import type { Exchange, Message } from './exchange.ts'

const bodyLimit = 4_096
const storedFirst = 10
const storedLast = 50

/** The exchanges of a check, the number of exchanges that were left out, and the steps with the notes between them. */
export type Recorded = ReturnType<Recorder['take']>

export type Recorder = ReturnType<typeof createRecorder>

/** Records the exchanges of one check, redacted and truncated. `prefix` is that of their ids, for several recorders. */
export function createRecorder(redact: (text: string) => string, prefix = '') {
  let steps: (Exchange | string)[] = []
  let omitted = 0
  let count = 0
  let delivered: Exchange | undefined

  const exchanges = () => steps.filter((step) => typeof step !== 'string')
  const store = (step: Exchange | string) => {
    steps.push(step)
    if (steps.length <= storedFirst + storedLast) return
    const [left] = steps.splice(storedFirst, 1)
    if (typeof left === 'object') omitted += 1
  }

  return {
    /** Stores one exchange and returns it redacted. */
    record(exchange: Omit<Exchange, 'id'>): Exchange {
      count += 1
      const safe = redactExchange({ ...exchange, id: `${prefix}x${count}` }, redact)
      store(safe)
      return safe
    },
    note: (step: string) => store(step),
    /** Called with the exchange whose response the check got. The guard reads the list after it, so it is not the last. */
    deliver(exchange: Exchange | undefined) {
      delivered = exchange ?? delivered
    },
    /** Stores exchanges of an earlier check again, because this check also uses them. */
    recall(earlier: readonly Exchange[]) {
      const known = new Set(exchanges().map(({ id }) => id))
      for (const exchange of earlier.filter(({ id }) => !known.has(id))) store(exchange)
    },
    take() {
      /** The exchange with the last response that the check got; undefined if it got none. */
      const last = delivered ?? exchanges().at(-1)
      const taken = { exchanges: exchanges(), omitted, steps, last }
      delivered = undefined
      steps = []
      omitted = 0
      return taken
    },
  }
}

/** Begins an exchange. The returned function records its end. */
export function beginExchange(recorder: Pick<Recorder, 'record'>, request: Exchange['request']) {
  const startedAt = new Date().toISOString()
  const start = performance.now()
  return (response: Exchange['response'], failure: string | null) =>
    recorder.record({ startedAt, durationMs: performance.now() - start, request, response, failure })
}

function redactExchange(exchange: Exchange, redact: (text: string) => string): Exchange {
  const { request, response } = exchange
  const message = ({ headers, body }: Message) => ({
    headers: headers.map(([name, value]) => [redact(name), redact(value)] as const),
    body: body === null ? null : redactedExcerpt(body, bodyLimit, redact),
  })
  return {
    ...exchange,
    failure: exchange.failure === null ? null : redact(exchange.failure),
    request: { method: redact(request.method), url: redact(request.url), ...message(request) },
    response: response && {
      status: response.status,
      ...(response.reason === undefined ? {} : { reason: redact(response.reason) }),
      ...message(response),
    },
  }
}
