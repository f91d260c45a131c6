import { describe, expect, test } from 'vitest'
import { accountsLine, changesLine, diagnosisLines } from './phrases.ts'
import type { AccountsRecord, Diagnosis, Harm, Report } from './report.ts'

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

function platform(changes: Partial<NonNullable<Report['platform']>>): NonNullable<Report['platform']> {
  return { kind: 'url', url: 'https://api.example.test', risk: 'write', alone: false, accounts: none, ...changes }
}

test('remaining accounts are named, separately those of unknown state', () => {
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
    'the target did not respond at the end of the run, so it is unknown whether the list was restored',
  )
})

test('for a platform alone no list of rules is mentioned, for both APIs both are', () => {
  expect(changesLine({ harm: null, platform: platform({ alone: true }) })).toBe('no demo account created')
  expect(changesLine({ harm, platform: platform({}) })).toBe('0 of 3 rules changed; no demo account created')
  expect(changesLine({ harm, platform: platform({ kind: 'simulator', accounts: null }) })).toBe('0 of 3 rules changed')
  expect(changesLine({ harm, platform: null })).toBe('0 of 3 rules changed')
})

test('the accounts on a disposable platform are mentioned, although they were not counted', () => {
  expect(changesLine({ harm: null, platform: platform({ alone: true, accounts: null }) })).toBe(
    'accounts were created and not counted',
  )
})

describe('the text of the diagnosis', () => {
  const requirements = [{ status: 'failed' }] as unknown as Report['requirements']
  const fault = (id: string, explains: readonly string[], changes: Partial<Diagnosis> = {}): Diagnosis => ({
    defects: [id],
    summaries: [`The ${id} is wrong.`],
    ...{
      reenacted: true,
      confirmed: true,
      explains,
      unexplained: [],
      alternatives: [],
      besides: [],
      passing: 186,
      score: 1,
      ...changes,
    },
  })
  const nearest = { reenacted: false, confirmed: false }
  const lines = (...diagnosis: readonly Diagnosis[]) => diagnosisLines({ diagnosis, requirements })

  test('says what a simulator with the faults does, and names each fault with its failures', () => {
    expect(lines(fault('total', ['CT-1', 'CT-2']), fault('index', ['CT-2', 'CT-3']))).toEqual([
      'Confirmed: a simulator with these 2 faults fails the same 3 checks in the same way and passes 186 others.',
      'The total is wrong (`total`): CT-1, CT-2',
      'The index is wrong (`index`): CT-2, CT-3',
    ])
    expect(lines(fault('total', ['CT-1']))[0]).toBe(
      'Confirmed: a simulator with this fault fails the same check in the same way and passes 186 others.',
    )
    expect(lines(fault('total', ['CT-1'], { passing: 0 }))[0]).toBe(
      'Confirmed: a simulator with this fault fails the same check in the same way.',
    )
  })

  test('names unexplained failures with the faults that are recorded to cause them, and additional failures', () => {
    const changes = { unexplained: ['CT-3'], besides: ['CT-9'] }
    expect(lines(fault('total', ['CT-1'], changes), fault('index', ['CT-3'], nearest))).toEqual([
      '1 fault confirmed, 1 failure unexplained (CT-3). The simulator also fails CT-9.',
      'The total is wrong (`total`): CT-1',
      'Nearest: the index is wrong (`index`), which also fails CT-3',
    ])
  })

  test('calls a fault possible if it was re-enacted and is not confirmed', () => {
    const possible = { confirmed: false }
    expect(lines(fault('total', ['CT-1'], possible))).toEqual([
      'Possible: a simulator with this fault fails the same check in the same way and passes 186 others.',
      'The total is wrong (`total`): CT-1',
    ])
    expect(lines(fault('total', ['CT-1'], possible), fault('index', ['CT-2', 'CT-3']))).toEqual([
      'Confirmed: a simulator with these 2 faults fails the same 3 checks in the same way and passes 186 others.',
      'Possible: the total is wrong (`total`): CT-1',
      'The index is wrong (`index`): CT-2, CT-3',
    ])
    const unexplained = ['CT-4']
    const left = [
      fault('total', ['CT-1'], { confirmed: false, unexplained }),
      fault('index', ['CT-2'], { unexplained }),
    ]
    expect(lines(...left)[0]).toBe('1 fault confirmed, 1 possible, 1 failure unexplained (CT-4).')
  })

  test('does not call a fault confirmed if it is only the nearest', () => {
    expect(lines(fault('index', ['CT-3'], nearest))).toEqual([
      'No fault is confirmed.',
      'Nearest: the index is wrong (`index`), which also fails CT-3',
    ])
  })

  test('keeps a method in capitals at the start of a summary', () => {
    const summaries = ['DELETE answers 204.']
    const [, line] = lines(fault('index', ['CT-3'], { ...nearest, summaries }))
    expect(line).toBe('Nearest: DELETE answers 204 (`index`), which also fails CT-3')
  })

  test('names the other faults that do the same, and the first of many failures', () => {
    const many = Array.from({ length: 9 }, (_, at) => `CT-${at}`)
    expect(lines(fault('total', many, { alternatives: ['count'] }))[1]).toBe(
      'The total is wrong (`total` or `count`): CT-0, CT-1, CT-2, CT-3, CT-4, CT-5 and 3 more',
    )
  })

  test('says if no fault is confirmed, and is empty if nothing failed', () => {
    expect(lines()).toEqual(['No fault is confirmed.'])
    expect(diagnosisLines({ diagnosis: [], requirements: [] })).toEqual([])
  })
})
