import { describe, expect, test } from 'vitest'
import { apis } from '../cli/selftest/apis.ts'

/** The checks observe the same with every seed. */
const seed = 1

describe.for(apis)('a simulator of the $name with one changed answer is observed to have it', (api) => {
  const given = api.questions.flatMap((question) =>
    Object.keys(question.answers).map((answer) => ({ question: question.id, answer })),
  )

  test.concurrent.for(given)('$question: $answer', async ({ question, answer }) => {
    const checks = api.observations.filter((observation) => observation.question === question)
    const outcomes = await api.judge({ answers: { [question]: answer }, defects: [], checks, seed })
    expect(outcomes).toMatchObject([{ check: checks[0]?.id, status: 'passed', answer }])
  })
})
