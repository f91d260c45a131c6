import { expect, test } from 'vitest'
import { accountsLine, changesLine } from './phrases.ts'
import type { AccountsRecord, Harm, PlatformRecord } from './report.ts'

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
  expect(changesLine({ harm: gone })).toBe('the target did not respond at the end of the run; nothing was written')
  expect(changesLine({ harm: { ...gone, restored: false } })).toBe(
    'the target did not respond at the end of the run, so it is unknown whether its list was restored',
  )
})

test('of a platform alone no list of rules is told, of both both', () => {
  expect(changesLine({ harm: null, platform: platform({ alone: true }) })).toBe('no demo account created')
  expect(changesLine({ harm, platform: platform({}) })).toBe('0 of 3 rules changed; no demo account created')
  expect(changesLine({ harm, platform: platform({ kind: 'simulator', accounts: null }) })).toBe('0 of 3 rules changed')
  expect(changesLine({ harm })).toBe('0 of 3 rules changed')
})
