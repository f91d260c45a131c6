import type { PluginQuestionId } from '../../../../spec/plugin/questions.ts'
import { isRead } from '../../../client/exchange.ts'
import type { RawResult } from '../../../client/raw.ts'
import type { HttpResponse } from '../../../client/response.ts'
import type { Draft, Rule } from '../../../model/rule.ts'
import type { ObservedAnswer, Risk } from '../../../session/check.ts'
import type { PluginRequest } from '../../../session/plugin.ts'
import { type Address, get, lastOne, post, responseOrClosed } from '../../../session/raw-request.ts'
import type { Session } from '../../../session/session.ts'

/** The id of an observation. */
export type Id = `CQ-${number}`

/** The part of a question's id after its area, e.g. `space` in `plugin.index.space`. */
export type PointOf<Area extends string, Id = PluginQuestionId> = Id extends `${Area}.${infer Point}` ? Point : never

/** A request that shows the answer to a question. Makes the observation and the step of a comparison. */
export interface Row<Send> {
  readonly ids: readonly [question: PluginQuestionId, step: string]
  readonly send: Send
  /** The answer for each status of the response. */
  readonly answers: AnswersByStatus
}

/** Rows by the id and title of their observation. */
export type Rows<AnyRow extends Row<unknown>> = Readonly<Record<`${Id} ${string}`, AnyRow>>

/** A request that does not depend on the list. */
export type PlainRow = Row<(key: string) => PluginRequest>

/** The risk of a plain request to a server. */
export function riskOf({ send }: Pick<PlainRow, 'send'>): Risk {
  return isRead(send('').method) ? 'read' : 'write'
}

/** A request for the status with a method that HTTP libraries do not send. */
export type MethodRow = Row<string>

/** A request that may remove the kit's rule at this index. */
export type RemovalRow = Row<(index: number) => PluginRequest>

/** A request that may add this rule. */
export interface AdditionRow extends Row<(draft: Draft) => PluginRequest> {
  /**
   * What must be accepted first. Default: an ordinary rule. If that were rejected too, the response would not depend on
   * the unusual part.
   */
  readonly after?: 'the draft' | 'nothing'
  /** Finds the answer in the listed rule, if the request is accepted. */
  readonly listed?: (rule: Rule | undefined) => ObservedAnswer
  /** Replaces the usual observation by one that sends more. */
  readonly observe?: (session: Session, row: AdditionRow) => Promise<ObservedAnswer>
}

/** The status of the response; `closed` if there is none. */
type ObservedStatus = number | 'closed'

/** The answer for each status; `4xx` stands for the others of that class. */
export type AnswersByStatus = Readonly<Record<string, string>>

/** The status of the response to a request that may get none. A timeout throws. */
export async function observeStatus(sent: Promise<HttpResponse>): Promise<ObservedStatus> {
  return (await responseOrClosed(sent))?.status ?? 'closed'
}

/** The answer for a status; null if the status has none. */
export function answerFor(seen: ObservedStatus, answers: AnswersByStatus): ObservedAnswer {
  const answer = answers[seen] ?? answers[`${String(seen).slice(0, 1)}xx`] ?? null
  return { answer, seen: seen === 'closed' ? 'no answer' : `status ${seen}` }
}

type SentRaw = Pick<RawResult, 'responses' | 'end'>

/** The answer that the response to raw bytes shows. */
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

/**
 * How many times to repeat a request whose connection closes without a response, since the response may have been lost.
 */
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
