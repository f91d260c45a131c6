import { describe, expect, test } from 'vitest'
import type { RunScope, SelfTestApi } from '../target/self-test.ts'
import { detectionOf, tryAll } from './matrix.ts'
import type { Result, SelfTestTask } from './task.ts'

const scope: RunScope = { id: 'read', summary: '`--target`', risk: 'read', capabilities: [], shared: true }
const api = { runScopes: [scope] } as unknown as SelfTestApi
const result = (check: string, status: Result['status'], message: string | null = null): Result => ({
  check,
  status,
  code: null,
  answer: null,
  requirement: 'r',
  message,
})

const defect = { id: 'd', breaks: ['r'], summary: '' }

/** The detection of a defect if the checks that catch it have these results. */
function detected(...results: readonly Result[]) {
  return detectionOf(api, [{ defect, scoped: [results] }])[0]
}

describe('a defect in a run of a user is', () => {
  test('caught if a check that catches it fails', () => {
    const detection = detected(result('C1', 'out-of-scope', 'too risky'), result('C2', 'failed'))
    expect(detection).toMatchObject({ caught: ['d'], beyond: [], missed: [] })
  })

  test('out of scope if every check that catches it is, with the reason', () => {
    const detection = detected(result('C1', 'out-of-scope', 'too risky'))
    expect(detection).toMatchObject({ caught: [], beyond: [{ defect: 'd', reason: 'too risky' }], missed: [] })
  })

  test.for(['passed', 'blocked'] as const)('missed if a check that catches it is in scope and %s', (status) => {
    const detection = detected(result('C1', 'out-of-scope', 'too risky'), result('C2', status))
    expect(detection).toMatchObject({ caught: [], beyond: [], missed: ['d'] })
  })
})

test('a check that catches a defect only after other checks is not expected to catch it alone', async () => {
  const checks = ['C1', 'C2'].map((id) => ({ id, requirement: 'r' }))
  const judge = (id: string, only: readonly string[], runScope: SelfTestTask['scope']) => {
    if (id === 'C1') return result(id, only.includes('C2') && runScope === null ? 'failed' : 'passed')
    return runScope === null ? result(id, 'failed') : result(id, 'out-of-scope', 'no')
  }
  const run = async ({ defects, only, scope: runScope }: SelfTestTask) => {
    const ids = only ?? ['C1', 'C2']
    return ids.map((id) => (defects.length === 0 ? result(id, 'passed') : judge(id, ids, runScope)))
  }
  const whole = {
    api: { ...api, name: 'a', checks, questions: [], otherAnswers: null } as unknown as SelfTestApi,
    ...{ defects: [defect], requirements: ['r'], complete: ['r'], observes: false },
    ...{ seed: 1, quick: false, profiles: [] },
  }

  const { defects } = await tryAll(whole, run)

  expect(detectionOf(whole.api, defects)[0]).toMatchObject({ beyond: [{ defect: 'd', reason: 'no' }], missed: [] })
})
