import { expect, test } from 'vitest'
import { terms } from '../testing/client.ts'
import { sameTerms } from './trading-account.ts'

test.each([{ name: 'Bob' }, { group: 'other' }, { leverage: 50 }, { currency: 'EUR' }, { balance: 1 }])(
  'terms that differ in %o are not equal',
  (change) => {
    expect(sameTerms(terms, { ...terms, ...change })).toBe(false)
    expect(sameTerms(terms, { ...terms })).toBe(true)
  },
)
