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

  test('are the profiles that the search for the smallest violation starts from', async () => {
    const profiles = randomProfiles(questions, 5, 40)
    const place = profiles.findIndex((answers) => answers['q.two'] === 'perhaps' && Object.keys(answers).length === 4)
    expect(place).toBeGreaterThan(0)
    const asked: unknown[] = []
    const violates = async (answers: Readonly<Record<string, string>>) => {
      asked.push(answers)
      return answers['q.two'] === 'perhaps' && answers['q.four'] !== undefined
    }
    const smallest = await smallestViolation(questions, { seed: 5, place }, violates)
    expect(asked[0]).toEqual(profiles[place])
    expect(smallest).toEqual({ 'q.two': 'perhaps', 'q.four': profiles[place]?.['q.four'] })
  })

  test('yield no violation if it does not happen again', async () => {
    expect(await smallestViolation(questions, { seed: 5, place: 3 }, async () => false)).toBeNull()
  })
})
