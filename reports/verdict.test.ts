import { describe, expect, test } from 'vitest'
import type { Level } from '../spec/requirement.ts'
import type { Status } from '../suites/runner/outcome.ts'
import type { Report, ReportedObservation, ReportedRequirement } from './report.ts'
import { judge } from './verdict.ts'

const nothing = { durationMs: 1, expected: null, actual: null, curl: null, exchanges: [], exchangesOmitted: 0 }

function requirement(status: Status, level: Level = 'required'): ReportedRequirement {
  const checks = [{ id: 'CT-1', title: 'a check', status, message: null, ...nothing }]
  const words = { clause: '5', statement: 'It holds.', consequence: 'It breaks.', reason: null }
  return { id: `plugin.${level}.${status}`, level, status, checks, ...words }
}

function observation(status: Status): ReportedObservation {
  const words = { clause: '5', text: 'Which?', answer: null, default: 'this', message: null }
  return { question: 'plugin.which', check: 'CT-2', status, exchanges: [], ...words }
}

function verdictOf(
  requirements: ReportedRequirement[],
  scope: Partial<Report['scope']> = {},
  observations: ReportedObservation[] = [],
) {
  return judge({ requirements, observations, scope: { strict: false, complete: false, ...scope } })
}

describe('the verdict', () => {
  test('is non-conformant when a required requirement failed, whatever else is missing', () => {
    const { verdict, explanation } = verdictOf([requirement('failed'), requirement('error'), requirement('passed')])
    expect(verdict).toBe('non-conformant')
    expect(explanation).toBe('1 required requirement failed: plugin.required.failed.')
  })

  test.each<Level>(['expected', 'robustness'])('counts a failure of the level %s only when strict', (level) => {
    const requirements = [requirement('passed'), requirement('failed', level)]
    expect(verdictOf(requirements)).toMatchObject({
      verdict: 'conformant',
      explanation: expect.stringContaining('1 finding'),
    })
    expect(verdictOf(requirements, { strict: true }).verdict).toBe('non-conformant')
  })

  test.each<Status>(['blocked', 'error'])('is incomplete when something in scope is %s', (status) => {
    expect(verdictOf([requirement('passed'), requirement(status)]).verdict).toBe('incomplete')
    expect(verdictOf([requirement('passed')], {}, [observation(status)]).verdict).toBe('incomplete')
  })

  test('is incomplete when a question met a broken expectation', () => {
    expect(verdictOf([requirement('passed')], {}, [observation('failed')]).verdict).toBe('incomplete')
  })

  test('is incomplete when a lower level failed and nothing else was judged', () => {
    expect(verdictOf([requirement('failed', 'expected')]).verdict).toBe('incomplete')
  })

  test('is incomplete when nothing passed at all', () => {
    const { verdict, explanation } = verdictOf([requirement('out-of-scope'), requirement('not-applicable')])
    expect(verdict).toBe('incomplete')
    expect(explanation).toContain('the target was not judged')
    expect(verdictOf([]).verdict).toBe('incomplete')
  })

  test('counts what is out of scope only in a complete run', () => {
    const requirements = [requirement('passed'), requirement('out-of-scope')]
    expect(verdictOf(requirements).verdict).toBe('conformant')
    expect(verdictOf(requirements, { complete: true }).verdict).toBe('incomplete')
    expect(verdictOf([requirement('passed'), requirement('not-applicable')], { complete: true }).verdict).toBe(
      'conformant',
    )
  })

  test('is explained in one sentence, with the first failures by name', () => {
    const { explanation } = verdictOf(Array.from({ length: 5 }, () => requirement('failed')))
    expect(explanation).toMatch(/^5 required requirements failed: .* and 2 more\.$/)
  })
})
