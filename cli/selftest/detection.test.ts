import { describe, expect, test } from 'vitest'
import type { Api } from './api.ts'
import { detectionOf } from './detection.ts'
import type { RunScope } from './run-scopes.ts'
import type { Result } from './task.ts'

const scope: RunScope = { id: 'read', summary: '`--target`', risk: 'read', capabilities: [], shared: true }
const api = { runScopes: [scope] } as unknown as Api
const result = (check: string, status: Result['status'], message: string | null = null): Result => ({
  check,
  status,
  code: null,
  answer: null,
  message,
})

/** What is detected where the checks that catch the defect end like this. */
function detected(...results: readonly Result[]) {
  const whole = { api, defects: [], requirements: [], complete: [], observes: false }
  return detectionOf(whole, [{ scope, defect: 'd', results }])[0]
}

describe('a defect in a run of a user is', () => {
  test('caught if a check fails', () => {
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
