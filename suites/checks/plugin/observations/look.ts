import { CannotArrange } from '../../../assertions/failure.ts'
import { isTimeout } from '../../../client/failure-reason.ts'
import type { HttpResponse } from '../../../client/response.ts'
import { NoResponse } from '../../../client/response.ts'
import type { Draft } from '../../../model/rule.ts'
import type { ObservedAnswer } from '../../../session/check.ts'
import type { PluginRequest } from '../../../session/plugin.ts'
import { post } from '../../../session/raw-request.ts'
import type { Session } from '../../../session/session.ts'

/** The status of the response, or `closed` without one. */
export type Seen = number | 'closed'

/** Sends a request that may get no response. A timeout is no answer. */
export async function look(request: () => Promise<HttpResponse>): Promise<Seen> {
  try {
    return (await request()).status
  } catch (error) {
    if (error instanceof NoResponse && !isTimeout(error)) return 'closed'
    throw error
  }
}

/** Another time the response may come. */
const noResponseInTime: ObservedAnswer = { answer: null, seen: 'no response in time' }

/** The answer for a status; null for a status without an answer. */
export function answerFor(seen: Seen, answers: Readonly<Record<string, string>>): ObservedAnswer {
  const answer = answers[seen] ?? answers[`${String(seen).slice(0, 1)}xx`] ?? null
  return { answer, seen: seen === 'closed' ? 'no answer' : `status ${seen}` }
}

/** Sends a request with the correct key; the answer follows from the status. */
export async function lookAt(
  { plugin }: Session,
  request: Omit<PluginRequest, 'method'> & { readonly method?: PluginRequest['method'] },
  answers: Readonly<Record<string, string>>,
): Promise<ObservedAnswer> {
  return answerFor(await look(() => plugin.send({ method: 'GET', ...request })), answers)
}

/** Requests the status with a method that HTTP libraries do not send. */
export async function lookAtMethod(
  { raw, key, address }: Session,
  method: string,
  answers: Readonly<Record<string, string>>,
): Promise<ObservedAnswer> {
  const head = [
    `${method} ${address.prefix}/api/status HTTP/1.1`,
    `Host: ${address.host}`,
    `X-API-Key: ${key}`,
    'Connection: close',
  ]
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
  const { responses, end } = await raw({ bytes, responses: 1 })
  if (end === 'timeout') return noResponseInTime
  return answerFor(responses[0]?.status ?? 'closed', answers)
}

/** Sends a body to POST /api/rules; the answer follows from the status. */
export async function lookAtBody(
  { plugin }: Session,
  request: Pick<PluginRequest, 'body' | 'contentType'>,
  answers: Readonly<Record<string, string>>,
): Promise<ObservedAnswer> {
  return answerFor(await look(() => plugin.send({ method: 'POST', path: '/api/rules', ...request })), answers)
}

/** How often a connection that is closed without a response is asked again, since the response may have been lost. */
const closedTries = 3
const pieceBytes = 2 ** 16

/**
 * Sends a large body to POST /api/rules piece by piece. A server may respond and close the connection before it
 * has read the body: what a client sends after that destroys the response.
 */
export async function lookAtLargeBody(
  session: Session,
  body: string,
  answers: Readonly<Record<string, string>>,
): Promise<ObservedAnswer> {
  const bytes = post(session, body)
  const splitAt = Array.from({ length: Math.floor(bytes.length / pieceBytes) }, (_, piece) => (piece + 1) * pieceBytes)
  for (let tries = 1; ; tries += 1) {
    const { responses, end } = await session.raw({ bytes, responses: 1, splitAt })
    const status = responses[0]?.status
    if (end === 'timeout') return noResponseInTime
    if (status !== undefined || tries === closedTries) return answerFor(status ?? 'closed', answers)
  }
}

/**
 * Whether the server accepts a rule with one unusual field. The ordinary rule is sent first: if that
 * were rejected too, the result would not depend on the field.
 */
export async function lookAtRule(
  session: Session,
  odd: string | Draft,
  ordinary: Draft,
): Promise<{ readonly seen: Seen; readonly accepted: boolean }> {
  const { plugin } = session
  const plain = await plugin.add(ordinary)
  if (plain.status !== 201) throw new CannotArrange(`an ordinary rule was answered with ${plain.status}`)
  const seen = await look(() =>
    typeof odd === 'string' ? plugin.send({ method: 'POST', path: '/api/rules', body: odd }) : plugin.add(odd),
  )
  return { seen, accepted: seen === 201 }
}
