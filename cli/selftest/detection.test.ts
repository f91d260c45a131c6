import { describe, expect, test } from 'vitest'
import type { RunScope, SelfTestApi } from '../target/self-test.ts'
import { detectionOf, tryInRunScopes } from './detection.ts'
import type { Done } from './matrix.ts'
import type { Result, SelfTestTask } from './task.ts'

const scope: RunScope = { id: 'read', summary: '`--target`', risk: 'read', capabilities: [], shared: true }
const api = { runScopes: [scope] } as unknown as SelfTestApi
const result = (check: string, status: Result['status'], message: string | null = null): Result => ({
  check,
  status,
  code: null,
  answer: null,
  circumstances: null,
  message,
})

/** The detection of a defect if the checks that catch it have these results. */
function detected(...results: readonly Result[]) {
  const whole = { api, defects: [], requirements: [], complete: [], observes: false }
  return detectionOf(whole, [{ scope, defect: 'd', results }])[0]
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
  const defect = { id: 'd', breaks: ['r'], summary: '' }
  const checks = ['C1', 'C2'].map((id) => ({ id, requirement: 'r' }))
  const task: SelfTestTask = {
    api: '',
    defects: ['d'],
    answers: {},
    requirements: [],
    only: null,
    observes: false,
    seed: 1,
    scope: null,
  }
  const row = { purpose: 'row', defect, task, results: [result('C1', 'failed'), result('C2', 'failed')], alone: [] }
  const judge = (id: string, only: readonly string[], runScope: SelfTestTask['scope']) => {
    if (id === 'C1') return result(id, only.includes('C2') && runScope === null ? 'failed' : 'passed')
    return runScope === null ? result(id, 'failed') : result(id, 'out-of-scope', 'no')
  }
  const processes = {
    run: ({ only, scope: runScope }: SelfTestTask) =>
      Promise.resolve((only ?? []).map((id) => judge(id, only ?? [], runScope))),
    close: () => Promise.resolve(),
  }
  const whole = {
    api: { ...api, checks } as unknown as SelfTestApi,
    defects: [],
    requirements: [],
    complete: [],
    observes: false,
  }

  const scoped = await tryInRunScopes(whole, [row as unknown as Done], processes)

  expect(detectionOf(whole, scoped)[0]).toMatchObject({ beyond: [{ defect: 'd', reason: 'no' }], missed: [] })
})
