import { performance } from 'node:perf_hooks'
import type { Wait, Waits } from '../client/wait.ts'
import { kindOfBytes, kindOfRequest, type RequestKind } from './request-kind.ts'

/**
 * Learns in a run which kind of request hangs, so that it is not waited for again and again. What all hanging requests
 * have in common, and no request that was answered, is the kind: an operation, an operation with some property, one
 * after another request, a later request of a connection, or a response that does not end.
 */
export interface Hangs {
  at(server: ServerTerms): Waits
  /** What is known of ordinary changes of this server that would hang now; null as long as nothing is known. */
  changesKnown(server: ServerTerms): string | null
  /** The server was started again: what was sent to it before is over. */
  forget(url: string): void
}

interface ServerTerms {
  readonly url: string
  /** The right key. */
  readonly key: string
  readonly timeoutMs: number
}

/** So often a kind hangs before it has a short limit. */
const requiredHangs = 3

/** After so many hangs of whatever kind the run waits for none any more. A check is then still repeated before it fails. */
const mostHangs = 5

/** The shortest limit, and the part of the usual one. */
const shortest = { limitMs: 500, part: 1 / 20 }

/** A response of a slow server takes longer than most of its responses, but not so many times as long. */
const slowestFactor = 4

export function createHangs(): Hangs {
  /** The answered requests of each server since its start, as text: the last ones at the end. */
  const histories = new Map<string, Set<string>>()
  /** What hung since the last response: where nothing is answered, no kind of request hangs. */
  const pending = new Set<string>()
  const counts = new Map<string, number>()
  /** Hangs that did not happen at least once. */
  const disproved = new Set<string>()
  let hangs = 0
  const durations = createDurations()

  const historyOf = (url: string) => {
    const history = histories.get(url) ?? new Set()
    histories.set(url, history)
    return history
  }
  const begin = ({ operation, variants }: RequestKind, { url, timeoutMs }: ServerTerms): Wait => {
    const history = historyOf(url)
    const startedAt = performance.now()
    const noted: string[] = []
    // The first one is the best explanation.
    const usual = [operation, ...variants].map(withoutResponse)
    const since = [...history]
      .toReversed()
      .flatMap((earlier) => [
        `${withoutResponse(operation)} since ${earlier}`,
        ...(isChange(operation) ? [`no change has a response since ${earlier}`] : []),
      ])
    const possible = () => [...noted, ...usual, ...since]
    const known = () => {
      const repeated = possible().filter((hang) => (counts.get(hang) ?? 0) >= requiredHangs)
      return repeated.find((hang) => !disproved.has(hang)) ?? repeated[0] ?? null
    }
    return {
      known,
      limitMs: () =>
        known() === null && hangs < mostHangs
          ? timeoutMs
          : Math.min(
              timeoutMs,
              Math.max(shortest.limitMs, shortest.part * timeoutMs, durations.slow() * slowestFactor),
            ),
      note: (hang) => noted.push(hang),
      ended(status) {
        durations.add(performance.now() - startedAt)
        if (pending.size > 0) hangs += 1
        for (const hang of pending) counts.set(hang, (counts.get(hang) ?? 0) + 1)
        pending.clear()
        for (const hang of possible()) {
          counts.delete(hang)
          disproved.add(hang)
        }
        if (status === null) return
        for (const request of new Set([operation, variants[0] ?? operation])) {
          const answered = `${request} was answered with ${status}`
          history.delete(answered)
          history.add(answered)
        }
      },
      hung() {
        for (const hang of possible()) pending.add(hang)
      },
    }
  }
  return {
    at: (server) => ({
      forRequest: (request) => begin(kindOfRequest(request, server.key), server),
      forBytes: (text, endsAfter) =>
        begin(endsAfter ? { operation: incomplete, variants: [] } : kindOfBytes(text, server.key), server),
    }),
    changesKnown(server) {
      const changes = ['POST /api/rules', 'DELETE /api/rules/{index}']
      return (
        changes.map((operation) => begin({ operation, variants: [] }, server).known()).find((known) => known) ?? null
      )
    },
    forget: (url) => void histories.delete(url),
  }
}

const incomplete = 'a request of a client that ends its side of the connection'

function isChange(operation: string): boolean {
  return /^(POST|DELETE) /.test(operation)
}

function withoutResponse(request: string): string {
  return `${request} has no response`
}

const mostDurations = 500

/** How long responses take. */
function createDurations() {
  const last: number[] = []
  let count = 0
  return {
    add(milliseconds: number) {
      last[count % mostDurations] = milliseconds
      count += 1
    },
    /** Longer than 95 % of the last ones. */
    slow: () => last.toSorted((one, other) => one - other)[Math.floor(last.length * 0.95)] ?? 0,
  }
}
