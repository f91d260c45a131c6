import { type Arbitrary, bigInt, constantFrom, double, record } from 'fast-check'
import type { Rule } from '../model/rule.ts'

const login = bigInt({ min: 1n, max: 2n ** 64n - 1n })

/** Any rule that the plugin can hold. */
export const anyRule: Arbitrary<Rule> = record({
  master: login,
  follower: login,
  mode: constantFrom('mult', 'fixed'),
  value: double({ min: 0, minExcluded: true, noNaN: true, noDefaultInfinity: true }),
  direction: constantFrom('same', 'reverse'),
})
