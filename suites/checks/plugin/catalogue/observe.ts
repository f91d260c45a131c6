import { isTimeout } from '../../../client/failure-reason.ts'
import type { RawResult } from '../../../client/raw.ts'
import type { HttpResponse } from '../../../client/response.ts'
import { NoResponse } from '../../../client/response.ts'
import type { ObservedAnswer } from '../../../session/check.ts'
import { type Address, get, post } from '../../../session/raw-request.ts'
import type { Session } from '../../../session/session.ts'

/** The status of the response; `closed` if there is none. */
export type ObservedStatus = number | 'closed'

/** The answer for each status; `4xx` stands for the others of that class. */
export type AnswersByStatus = Readonly<Record<string, string>>

/** Sends a request that may get no response. A timeout throws. */
export async function observeStatus(request: () => Promise<HttpResponse>): Promise<ObservedStatus> {
  try {
    return (await request()).status
  } catch (error) {
    if (error instanceof NoResponse && !isTimeout(error)) return 'closed'
    throw error
  }
}

/** The response may arrive next time. */
const noResponseInTime: ObservedAnswer = { answer: null, seen: 'no response in time' }

/** The answer for a status; null if the status has none. */
export function answerFor(seen: ObservedStatus, answers: AnswersByStatus): ObservedAnswer {
  const answer = answers[seen] ?? answers[`${String(seen).slice(0, 1)}xx`] ?? null
  return { answer, seen: seen === 'closed' ? 'no answer' : `status ${seen}` }
}

/** Requests the status with a method that HTTP libraries do not send. */
export async function observeMethod(
  session: Session,
  method: string,
  answers: AnswersByStatus,
): Promise<ObservedAnswer> {
  const bytes = get(session, '/api/status', ['Connection: close'], method)
  const { responses, end } = await session.raw({ bytes, responses: 1 })
  if (end === 'timeout') return noResponseInTime
  return answerFor(responses[0]?.status ?? 'closed', answers)
}

/**
 * How many times to repeat a request whose connection closes without a response, since the response may have been lost.
 */
const closedTries = 3
const pieceBytes = 2 ** 16

/**
 * Sends a large body to POST /api/rules in pieces. A server may respond and close the connection before it has read the
 * body, and anything sent after that destroys the response.
 */
export async function sendLargeBody(
  { raw, ...to }: Address & Pick<Session, 'raw'>,
  body: string,
): Promise<Pick<RawResult, 'responses' | 'end'>> {
  const bytes = post(to, body)
  const splitAt = Array.from({ length: Math.floor(bytes.length / pieceBytes) }, (_, piece) => (piece + 1) * pieceBytes)
  for (let tries = 1; ; tries += 1) {
    const result = await raw({ bytes, responses: 1, splitAt })
    if (result.end === 'timeout' || result.responses.length > 0 || tries === closedTries) return result
  }
}

export async function observeLargeBody(
  session: Session,
  body: string,
  answers: AnswersByStatus,
): Promise<ObservedAnswer> {
  const { responses, end } = await sendLargeBody(session, body)
  return end === 'timeout' ? noResponseInTime : answerFor(responses[0]?.status ?? 'closed', answers)
}
