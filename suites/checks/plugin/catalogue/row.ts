import type { PluginQuestionId } from '../../../../spec/plugin/questions.ts'
import type { Draft, Rule } from '../../../model/rule.ts'
import type { ObservedAnswer, Risk } from '../../../session/check.ts'
import type { PluginRequest } from '../../../session/plugin.ts'
import type { Session } from '../../../session/session.ts'
import type { Answers } from './look.ts'

/** The id of an observation. */
export type Id = `CQ-${number}`

/** What a question is about within its area, e.g. `space` of `plugin.index`. */
export type PointOf<Area extends string, Id = PluginQuestionId> = Id extends `${Area}.${infer Point}` ? Point : never

/** A request that shows the answer to a question. The observation and the step of a comparison follow from it. */
export interface Row<Send> {
  readonly ids: readonly [observation: Id, question: PluginQuestionId, step: string]
  /** Of the observation. */
  readonly title: string
  readonly send: Send
  /** The answer for each status of the response. */
  readonly answers: Answers
}

/** A request that does not depend on the list. */
export type PlainRow = Row<(key: string) => PluginRequest>

/** What a plain request may do to a server. */
export function riskOf({ send }: Pick<PlainRow, 'send'>): Risk {
  return ['GET', 'HEAD', 'OPTIONS'].includes(send('').method) ? 'read' : 'write'
}

/** A request for the status with a method that HTTP libraries do not send. */
export type MethodRow = Row<string>

/** A request that may remove the rule of the kit at this index. */
export type RemovalRow = Row<(index: number) => PluginRequest>

/** A request that may add this rule. */
export interface AdditionRow extends Row<(draft: Draft) => PluginRequest> {
  /**
   * What must be accepted before. Default: an ordinary rule. If that were rejected too, the response would not depend on
   * what is unusual.
   */
  readonly after?: 'the draft' | 'nothing'
  /** The answer by the rule as it is listed, where the request is accepted. */
  readonly listed?: (rule: Rule | undefined) => ObservedAnswer
  /** An observation that sends more. */
  readonly observe?: (session: Session, row: AdditionRow) => Promise<ObservedAnswer>
}
