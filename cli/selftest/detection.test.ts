import { describe, expect, test } from 'vitest'
import type { Api, KnownDefect } from './api.ts'
import { detectionOf } from './detection.ts'
import type { Done } from './matrix.ts'
import type { RunScope } from './run-scopes.ts'
import type { Result } from './task.ts'

const scope: RunScope = { id: 'read', summary: '`--target`', risk: 'read', capabilities: [], shared: true }
const defect: KnownDefect = { id: 'd', breaks: ['r'], summary: 'd' }
const api = { questions: [], runScopes: [scope] } as unknown as Api
const result = (check: string, status: Result['status'], message: string | null = null): Result => ({
  check,
  status,
  answer: null,
  message,
})

/** What is detected where C1 catches the defect in a complete run, and these are the results in the scope. */
function detected(results: readonly Result[]) {
  const task = { api: 'sample', defect: 'd', answers: {}, requirements: ['r'], observes: false, seed: 1, scope: null }
  const row: Done = {
    purpose: 'row',
    defect,
    task,
    results: [result('C1', 'failed'), result('C2', 'passed')],
    alone: [],
  }
  const scoped: Done = { purpose: 'scoped', scope, defect, task: { ...task, scope: 'read' }, results, alone: [] }
  return detectionOf({ api, defects: [defect], requirements: ['r'], complete: [], observes: false }, [row, scoped])[0]
}

describe('a defect in a run of a user is', () => {
  test('caught if any check fails', () => {
    expect(detected([result('C1', 'out-of-scope', 'too risky'), result('C2', 'failed')])).toMatchObject({
      caught: ['d'],
      beyond: [],
      missed: [],
    })
  })

  test('out of scope if every check that catches it is, with the reason', () => {
    expect(detected([result('C1', 'out-of-scope', 'too risky'), result('C2', 'passed')])).toMatchObject({
      caught: [],
      beyond: [{ defect: 'd', reason: 'too risky' }],
      missed: [],
    })
  })

  test.for(['passed', 'blocked'] as const)('missed if a check that catches it is in scope and %s', (status) => {
    expect(detected([result('C1', status), result('C2', 'passed')])).toMatchObject({
      caught: [],
      beyond: [],
      missed: ['d'],
    })
  })
})
