import { isDeepStrictEqual } from 'node:util'
import { answerOf } from '../http/answer.ts'
import type { Request } from '../http/client.ts'
import { CannotArrange } from '../vocabulary/failure.ts'
import type { RecordedCheck, Recording } from './read.ts'
import { bytesFrom, keepBytes, type RecordedExchange, redactValues, withStandIn } from './recording.ts'
import type { Tape } from './tape.ts'

/** The recorded server was never asked this: the check cannot go on, and nothing is said about the server. */
export class NotRecorded extends CannotArrange {
  override readonly name: string = 'NotRecorded'
}

/** Names the exchange that a request is answered with, for whoever answers it. */
export const numberHeader = 'x-tck-exchange'

const unknown: RecordedCheck = { drafts: 0, exchanges: [], raw: [] }

/**
 * Finds for each request the recorded one that is the same but for its secrets, and lets the client
 * send it with the number of that exchange. `standIn` is the key in place of the real one.
 */
export function replayTape(recording: Recording, { redact, standIn }: ReplayOptions): Tape {
  let check = unknown
  const played = new Set<number>()
  const isNew = ({ number }: { readonly number: number }) => !played.has(number)
  const take = <One extends { readonly number: number }>(found: One | undefined, what: string): One => {
    if (found === undefined) throw new NotRecorded(`the recording holds no such request: ${what}`)
    played.add(found.number)
    return found
  }
  return {
    begin: (name, drafts) => {
      const recorded = recording.checks.get(name)
      check = recorded ?? unknown
      return recorded?.drafts ?? drafts
    },
    client: (client) => async (request) => {
      const sent = comparable(request, redact)
      const same = (one: RecordedExchange) => isNew(one) && isDeepStrictEqual(one.request, sent)
      const { number } = take(check.exchanges.find(same), `${sent.method} ${sent.path}`)
      return client({ ...request, headers: { ...request.headers, [numberHeader]: String(number) } })
    },
    raw: () => async (request) => {
      const bytes = [request.bytes].flat().map((part) => keepBytes(part, redact))
      const found = check.raw.find((one) => isNew(one) && isDeepStrictEqual(one.bytes, bytes))
      const { answers, end } = take(found, 'bytes on a bare connection')
      // What was asked in the meantime was recorded by itself.
      await request.meanwhile?.()
      return {
        end,
        answers: answers.map(({ status, headers, body }) => {
          const kept = bytesFrom(body, standIn)
          const exchange = {
            id: 'replayed',
            startedAt: recording.run.startedAt,
            durationMs: 0,
            request: { method: 'RAW', url: recording.run.url, headers: [], body: null },
            response: { status, headers: Object.entries(headers), body: redact(kept.toString()) },
            failure: null,
          }
          return answerOf(status, valuesWith(headers, standIn), kept, exchange)
        }),
      }
    },
  }
}

interface ReplayOptions {
  /** Takes the stand-in out of a text as the real key was taken out. */
  readonly redact: (text: string) => string
  readonly standIn: string
}

export function valuesWith(
  values: Readonly<Record<string, string>>,
  standIn: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withStandIn(value, standIn)]))
}

function comparable({ method, path, headers, body }: Request, redact: (text: string) => string) {
  return {
    method,
    path: redact(path),
    headers: redactValues(headers, redact),
    body: body === null ? null : keepBytes(body, redact),
  } satisfies RecordedExchange['request']
}
