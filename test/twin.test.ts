import { describe, expect, test } from 'vitest'
import type { Profile } from '../simulator/index.ts'
import { type PluginQuestion, pluginQuestions } from '../spec/questions/plugin.ts'
import { pluginObservations } from '../suites/cases/all.ts'
import { judgeSimulator } from './judge-simulator.ts'

const observationOf = new Map(pluginObservations.map(({ id, question }) => [question, id]))

const answers = pluginQuestions.flatMap((question: PluginQuestion) =>
  Object.keys(question.answers).map((answer) => ({ question: question.id, answer })),
)

describe('a simulator that was given one answer is observed to give it', () => {
  test.concurrent.for(answers)('$question: $answer', async ({ question, answer }) => {
    const profile = { [question]: answer } as Partial<Profile>
    const outcomes = await judgeSimulator({ profile }, { only: [question], seed: 1 })
    expect(outcomes).toMatchObject([{ check: observationOf.get(question), status: 'passed', answer }])
  })
})
