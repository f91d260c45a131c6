import type { PluginQuestionId } from '../../../../spec/plugin/questions.ts'
import { isRead } from '../../../client/exchange.ts'
import type { Draft, Rule } from '../../../model/rule.ts'
import type { ObservedAnswer, Risk } from '../../../session/check.ts'
import type { PluginRequest } from '../../../session/plugin.ts'
import type { Session } from '../../../session/session.ts'
import type { AnswersByStatus } from './observe.ts'

export type Id = `CQ-${number}`

/** The part of a question's id after its area, e.g. `space` in `plugin.index.space`. */
export type PointOf<Area extends string, Id = PluginQuestionId> = Id extends `${Area}.${infer Point}` ? Point : never

/** A request that shows the answer to a question. Makes the observation and the step of a comparison. */
export interface Row<Send> {
  readonly ids: readonly [question: PluginQuestionId, step: string]
  readonly send: Send
  readonly answers: AnswersByStatus
}

/** Rows by the id and title of their observation. */
export type Rows<AnyRow extends Row<unknown>> = Readonly<Record<`${Id} ${string}`, AnyRow>>

/** A request that does not depend on the list. */
export type PlainRow = Row<(key: string) => PluginRequest>

export const riskOf = ({ send }: Pick<PlainRow, 'send'>): Risk => (isRead(send('').method) ? 'read' : 'write')

/** A request for the status with a method that HTTP libraries do not send. */
export type MethodRow = Row<string>

/** A request that may remove the kit's rule at this index. */
export interface RemovalRow extends Row<(index: number) => PluginRequest> {
  /** Of a request that a faulty server may take for the removal of another rule. Default: `write`. */
  readonly risk?: 'exclusive' | undefined
}

export interface AdditionRow extends Row<(draft: Draft) => PluginRequest> {
  /**
   * What must be accepted first: by default an ordinary rule, without which the response may not depend on the unusual
   * part. `observe` sends the draft.
   */
  readonly after?: 'the draft' | 'nothing'
  /** Finds the answer in the listed rule, if the request is accepted. */
  readonly listed?: (rule: Rule | undefined) => ObservedAnswer
  /** Replaces the usual observation by one that sends more. */
  readonly observe?: (session: Session, row: AdditionRow) => Promise<ObservedAnswer>
}
