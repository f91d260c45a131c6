import { describe, expect, test } from 'vitest'
import type { Level } from '../spec/requirement.ts'
import type { Status } from '../suites/runner/outcome.ts'
import type { Report, ReportedObservation, ReportedRequirement, RequirementStatus } from './report.ts'
import { scopeGaps } from './sections.ts'
import { judgeEvidence } from './verdict.ts'

const unsent = { exchanges: [], exchangesOmitted: 0 }
const nothing = { durationMs: 1, code: null, data: null, expected: null, actual: null, curl: null, ...unsent }

function requirement(status: RequirementStatus, level: Level = 'required'): ReportedRequirement {
  const ofChecks: readonly Status[] = status === 'partly-judged' ? ['passed', 'out-of-scope'] : [status]
  const checks = ofChecks.map((one) => ({ id: 'CT-1', title: 'a check', status: one, message: null, ...nothing }))
  const words = { clause: '5', statement: 'It holds.', consequence: 'It breaks.', reason: null }
  return { id: `plugin.${level}.${status}`, level, status, checks, ...words }
}

function observation(status: Status): ReportedObservation {
  const words = { clause: '5', text: 'Which?', answer: null, default: 'this', message: null }
  return { question: 'plugin.which', check: 'CT-2', status, ...unsent, ...words }
}

function verdictOf(
  requirements: ReportedRequirement[],
  scope: Partial<Report['scope']> = {},
  observations: ReportedObservation[] = [],
) {
  const rest = { target: { kind: 'url' }, harm: null } as const
  return judgeEvidence({ requirements, observations, scope: { strict: false, complete: false, ...scope }, ...rest })
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

  test('is incomplete when an observation failed', () => {
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

  test.each<RequirementStatus>(['out-of-scope', 'partly-judged'])(
    'is partial when a required requirement is %s, and incomplete in a complete run',
    (status) => {
      const requirements = [requirement('passed'), requirement(status), requirement('passed', 'expected')]
      const { verdict, explanation } = verdictOf(requirements)
      expect(verdict).toBe('partial')
      expect(explanation).toMatch(
        /^No failure in [23] of 3 requirements; 1 of 2 `required` ones not or only partly judged\.$/,
      )
      expect(verdictOf(requirements, { complete: true }).verdict).toBe('incomplete')
    },
  )

  test('is partial when only lower levels were judged, with the findings below required', () => {
    const lower = [requirement('passed', 'robustness'), requirement('failed', 'expected')]
    const { verdict, explanation } = verdictOf([requirement('out-of-scope'), ...lower])
    expect(verdict).toBe('partial')
    expect(explanation).toContain('No failure in 1 of 3 requirements')
    expect(explanation).toContain('1 finding')
  })

  test('is conformant when only a lower level is out of scope, and incomplete in a complete run', () => {
    const requirements = [requirement('passed'), requirement('out-of-scope', 'expected')]
    expect(verdictOf(requirements).verdict).toBe('conformant')
    expect(verdictOf(requirements, { complete: true }).verdict).toBe('incomplete')
  })

  test('of a complete run considers only requirements, without those that no run can judge', () => {
    const requirements = [requirement('passed'), requirement('not-applicable')]
    expect(verdictOf(requirements, { complete: true }, [observation('out-of-scope')]).verdict).toBe('conformant')
  })

  test.each([
    ['exec', false, false, 'non-conformant'],
    ['exec', true, true, 'non-conformant'],
    ['exec', true, false, 'conformant'],
    ['url', false, false, 'conformant'],
  ] as const)(
    'for a target of the kind %s, restored %s, unreachable %s, is %s',
    (kind, restored, unreachable, verdict) => {
      const scope = { strict: false, complete: false }
      const left = { target: { kind }, harm: { restored, unreachable } }
      expect(judgeEvidence({ requirements: [requirement('passed')], observations: [], scope, ...left }).verdict).toBe(
        verdict,
      )
    },
  )

  test('is explained in one sentence, with the first failures by name', () => {
    const { explanation } = verdictOf(Array.from({ length: 5 }, () => requirement('failed')))
    expect(explanation).toMatch(/^5 required requirements failed: .* and 2 more\.$/)
  })
})

test('what was out of scope or not applicable is grouped by its reason, the most frequent first', () => {
  const lacking = (
    message: string,
    status: 'out-of-scope' | 'not-applicable' = 'out-of-scope',
  ): ReportedRequirement => {
    const { checks, ...one } = requirement(status)
    return { ...one, id: `plugin.${message}`, checks: checks.map((check) => ({ ...check, message })) }
  }
  const requirements = [lacking('a', 'not-applicable'), requirement('passed'), lacking('b'), lacking('b')]
  expect(scopeGaps({ requirements }).map(({ reason, checks }) => [reason, checks.length])).toEqual([
    ['b', 2],
    ['a', 1],
  ])
})
