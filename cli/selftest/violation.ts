import { type Answers, type Api, includes } from '../target/trials.ts'
import type { Violation } from './document.ts'
import type { Result } from './task.ts'

/** The law that a result of a simulator without a defect violates; null for none. */
export function violationKind(api: Api, answers: Answers, { check, status, answer }: Result): Violation['kind'] | null {
  const requirement = api.checks.find(({ id }) => id === check)?.requirement
  const question = api.observations.find(({ id }) => id === check)?.question
  if (status === 'error') return 'error'
  const subject = requirement ?? question ?? check
  const mayBeUnseen = api.unmeasurable.some((one) => one.subjects.test(subject) && includes(api, answers, one.where))
  if (mayBeUnseen && (status === 'not-applicable' || status === 'passed')) return null
  if (status !== 'passed') return question === undefined ? 'false-alarm' : 'wrong-observation'
  const given = question === undefined ? null : (answers[question] ?? defaultOf(api, question))
  return answer === given ? null : 'wrong-observation'
}

function defaultOf({ questions }: Api, question: string): string | null {
  return questions.find(({ id }) => id === question)?.default ?? null
}
