import { describe, expect, test } from 'vitest'
import { accountsLine, changesLine, diagnosisLine } from './phrases.ts'
import type { AccountsRecord, Diagnosis, Harm, PlatformRecord, Report } from './report.ts'

const none: AccountsRecord = { group: 'demo', most: 3, created: [], uncertain: [] }
const harm: Harm = {
  rulesBefore: 3,
  rulesAfter: 3,
  hashBefore: 'a',
  hashAfter: 'a',
  restored: true,
  differences: [],
  interference: [],
  unreachable: false,
}

function platform(changes: Partial<PlatformRecord>): PlatformRecord {
  return { kind: 'url', url: 'https://api.example.test', risk: 'write', alone: false, accounts: none, ...changes }
}

test('accounts that stay are named, those of which nobody knows apart', () => {
  expect(accountsLine(none)).toBe('no demo account created')
  expect(accountsLine({ ...none, created: ['a 1', 'a 2'] })).toBe(
    '2 demo accounts created: "a 1", "a 2" in the group demo; they cannot be removed through this API',
  )
  expect(accountsLine({ ...none, created: ['a 1'], uncertain: ['a 2'] })).toBe(
    '1 demo account created: "a 1" and 1 may have been created: "a 2" in the group demo; they cannot be removed through this API',
  )
})

test('the list of a target that does not respond is unknown', () => {
  const gone: Harm = { ...harm, unreachable: true }
  expect(changesLine({ harm: gone, platform: null })).toBe(
    'the target did not respond at the end of the run; nothing was written',
  )
  expect(changesLine({ harm: { ...gone, restored: false }, platform: null })).toBe(
    'the target did not respond at the end of the run, so it is unknown whether its list was restored',
  )
})

test('of a platform alone no list of rules is told, of both both', () => {
  expect(changesLine({ harm: null, platform: platform({ alone: true }) })).toBe('no demo account created')
  expect(changesLine({ harm, platform: platform({}) })).toBe('0 of 3 rules changed; no demo account created')
  expect(changesLine({ harm, platform: platform({ kind: 'simulator', accounts: null }) })).toBe('0 of 3 rules changed')
  expect(changesLine({ harm, platform: null })).toBe('0 of 3 rules changed')
})

describe('the line of the diagnosis', () => {
  const requirements = [{ status: 'failed' }] as unknown as Report['requirements']
  const fault = (id: string, score: number, unexplained: readonly string[] = []): Diagnosis => ({
    defects: [id],
    summaries: [`The ${id} is wrong.`],
    explains: ['CT-1', 'CT-2'],
    unexplained,
    score,
  })

  test('names the fault, what it explains, and the next best', () => {
    const diagnosis = [fault('total', 1), fault('index', 0.5, ['CT-3'])]
    expect(diagnosisLine({ diagnosis, requirements })).toBe(
      'Most likely one fault: The total is wrong (explains all 2 failures; `total`). Next best: The index is wrong (explains 2 of 3 failures; `index`).',
    )
  })

  test('names faults that explain the failures as well as the first', () => {
    const diagnosis = [fault('total', 0.9), fault('index', 0.9)]
    expect(diagnosisLine({ diagnosis, requirements })).toMatch(
      /`total`\)\. As likely: The index is wrong \(.+`index`\)\.$/,
    )
  })

  test('says so where no known fault explains the failures, and nothing where nothing failed', () => {
    expect(diagnosisLine({ diagnosis: [], requirements })).toBe('No known fault explains these failures.')
    expect(diagnosisLine({ diagnosis: [], requirements: [] })).toBeNull()
  })
})
