import { describe, expect, test } from 'vitest'
import type { Question } from '../../spec/question.ts'
import { randomProfiles, smallestViolation } from './scope.ts'

const question = (id: string): Question => ({
  id,
  clause: '1',
  question: '?',
  answers: { no: 'no', yes: 'yes', perhaps: 'perhaps' },
  default: 'no',
  why: '',
})
const questions = ['q.one', 'q.two', 'q.three', 'q.four'].map(question)

describe('random profiles', () => {
  test('are the same for the same seed, and leave the default answers out', () => {
    const profiles = randomProfiles(questions, 5, 40)
    expect(profiles).toEqual(randomProfiles(questions, 5, 40))
    expect(profiles).not.toEqual(randomProfiles(questions, 6, 40))
    expect(profiles.flatMap((answers) => Object.values(answers))).not.toContain('no')
    expect(new Set(profiles.flatMap((answers) => Object.entries(answers).map(String))).size).toBe(8)
  })

  test('show every answer within as many profiles as a question has answers', () => {
    const profiles = randomProfiles(questions, 5, 3)
    for (const { id } of questions) {
      expect(profiles.map((answers) => answers[id] ?? 'no').toSorted()).toEqual(['no', 'perhaps', 'yes'])
    }
  })
})

describe('the smallest violation', () => {
  const answers = { 'q.one': 'yes', 'q.two': 'perhaps', 'q.three': 'yes', 'q.four': 'perhaps' }

  test('has only the answers that it needs', async () => {
    const asked: unknown[] = []
    const violates = async (some: Readonly<Record<string, string>>) => {
      asked.push(some)
      return some['q.two'] === 'perhaps' && some['q.four'] !== undefined
    }
    expect(await smallestViolation(answers, violates)).toEqual({ 'q.two': 'perhaps', 'q.four': 'perhaps' })
    expect(asked[0]).toEqual(answers)
  })

  test('is none if it does not happen again', async () => {
    expect(await smallestViolation(answers, async () => false)).toBeNull()
  })
})
