import type { RawResult } from '../../../client/raw.ts'
import type { HttpResponse } from '../../../client/response.ts'
import type { ObservedAnswer } from '../../../session/check.ts'
import { type Address, get, lastOne, post, responseOrClosed } from '../../../session/raw-request.ts'
import type { Session } from '../../../session/session.ts'

/** The status of the response; `closed` if there is none. */
export type ObservedStatus = number | 'closed'

/** The answer for each status; `4xx` stands for the others of that class. */
export type AnswersByStatus = Readonly<Record<string, string>>

/** The status of the response to a request that may get none. A timeout throws. */
export const observeStatus = async (sent: Promise<HttpResponse>) => (await responseOrClosed(sent))?.status ?? 'closed'

export function answerFor(seen: ObservedStatus, answers: AnswersByStatus): ObservedAnswer {
  const answer = answers[seen] ?? answers[`${String(seen).slice(0, 1)}xx`] ?? null
  return { answer, seen: seen === 'closed' ? 'no answer' : `status ${seen}` }
}

export function observeHeader({ headers }: HttpResponse, name: string): ObservedAnswer {
  const value = headers[name]
  return { answer: value === undefined ? 'absent' : 'sent', seen: value ?? '' }
}

type SentRaw = Pick<RawResult, 'responses' | 'end'>

export function answerIn({ responses, end }: SentRaw, answers: AnswersByStatus): ObservedAnswer {
  // The response may arrive next time.
  if (end === 'timeout') return { answer: null, seen: 'no response in time' }
  return answerFor(responses[0]?.status ?? 'closed', answers)
}

/** The destination and the key of a raw request, and the client that sends it. */
type Destination = Address & Pick<Session, 'raw'>

/** Requests the status with a method that HTTP libraries do not send. */
export function sendMethod({ raw, ...to }: Destination, method: string): Promise<SentRaw> {
  return raw({ bytes: get(to, '/api/status', lastOne, method), responses: 1 })
}

/** How often a request is sent whose connection closes without a response, which may have been lost on the way. */
const closedTries = 3
const pieceBytes = 2 ** 16

/**
 * Sends a large body to POST /api/rules in pieces. A server may respond and close the connection before it has read the
 * body, and anything sent after that destroys the response.
 */
export async function sendLargeBody({ raw, ...to }: Destination, body: string): Promise<SentRaw> {
  const bytes = post(to, body)
  const splitAt = Array.from({ length: Math.floor(bytes.length / pieceBytes) }, (_, piece) => (piece + 1) * pieceBytes)
  for (let tries = 1; ; tries += 1) {
    const result = await raw({ bytes, responses: 1, splitAt })
    if (result.end === 'timeout' || result.responses.length > 0 || tries === closedTries) return result
  }
}
