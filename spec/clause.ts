/** The entries of the registries, grouped by clause. An entry of another clause names that one. */

import type { Question } from './question.ts'
import type { Level, Requirement, Unjudged } from './requirement.ts'

type Demand = Omit<Requirement, 'id' | 'clause'> & Partial<Pick<Requirement, 'clause'>>

/** What a server must do, and what goes wrong otherwise. */
const ofLevel =
  (level: Level) =>
  (statement: string, consequence: string, clause?: string): Demand => ({
    ...(clause !== undefined && { clause }),
    ...{ level, statement, consequence },
  })

export const required = ofLevel('required')
export const expected = ofLevel('expected')
export const robustness = ofLevel('robustness')

/** The requirements of one clause, by id. */
export function requirements<Id extends string>(
  clause: string,
  rows: Readonly<Record<Id, Demand>>,
): readonly (Requirement & { readonly id: Id })[] {
  return Object.entries<Demand>(rows).map(([id, row]) => ({ id: id as Id, clause, ...row }))
}

type Sentence = readonly [clause: string, sentence: string, reason: string]

/** The sentences that no check can verify, by id. */
export function unjudged<Id extends string>(
  rows: Readonly<Record<Id, Sentence>>,
): readonly (Unjudged & { readonly id: Id })[] {
  return Object.entries<Sentence>(rows).map(([id, [clause, sentence, reason]]) => {
    return { id: id as Id, clause, sentence, reason }
  })
}

type Answers = Question['answers']

/** The first answer is the default, or the one that is named. With a status it is named: JavaScript lists numbers first. */
type Row = Pick<Question, 'question' | 'why'> &
  Partial<Pick<Question, 'clause'>> &
  (
    | { readonly answers: Answers & { readonly [status: number]: never }; readonly default?: undefined }
    | Pick<Question, 'answers' | 'default'>
  )

type Rows = Readonly<Record<string, Row>>

/** A question whose type has its id and the ids of its answers. */
type QuestionIn<Of extends Rows> = {
  readonly [Id in keyof Of]: Omit<Question, 'id' | 'answers'> & { readonly id: Id; readonly answers: Of[Id]['answers'] }
}[keyof Of]

/** The questions of one clause, by id. */
export function questions<const Of extends Rows>(clause: string, rows: Of) {
  const all: readonly Question[] = Object.entries(rows).map(([id, { why, ...row }]) => {
    const [first = ''] = Object.keys(row.answers)
    return { id, clause, ...row, default: row.default ?? first, why }
  })
  return all as readonly QuestionIn<Of>[]
}

/** Answers that are a status, such as `400: 'it returns 400'`. */
export function returns<const Status extends string>(what: string, ...statuses: readonly Status[]) {
  const answers = Object.fromEntries(statuses.map((status) => [status, `${what} returns ${status}`]))
  return answers as { readonly [Id in Status]: string }
}
