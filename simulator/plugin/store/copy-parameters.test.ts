import { array, property, stringMatching } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../testing/always.ts'
import { anyRule } from '../testing/rules.ts'
import {
  anyCopyName,
  byNumber,
  copyParameters,
  parseCopy,
  parseCopyWithSemicolons,
  withoutCopySpaces,
} from './copy-parameters.ts'

const parseCopyWithSpaces = (text: string) => parseCopy(withoutCopySpaces(text))

test('the alternative syntax uses semicolons', () => {
  const rule = { master: 1n, follower: 2n, mode: 'fixed', value: 0.5, direction: 'same' }
  expect(parseCopyWithSemicolons('1;2;fixed;0.5;same')).toEqual([rule])
  expect(parseCopyWithSemicolons('1>2,fixed,0.5,same')).toBeUndefined()
})

test('each follower in a value becomes one rule', () => {
  const common = { master: 1001n, mode: 'fixed', value: 0.01, direction: 'reverse' }
  expect(parseCopy('1001>2001,2002,fixed,0.01,reverse')).toEqual([
    { ...common, follower: 2001n },
    { ...common, follower: 2002n },
  ])
})

test('rules of one master with the same terms, written as one value, are read back', () => {
  always(
    property(anyRule, array(anyRule, { minLength: 1 }), stringMatching(/^ {0,3}$/), (terms, others, space) => {
      const rules = others.map(({ follower }) => ({ ...terms, follower }))
      const parts = [...rules.map(({ follower }) => follower), terms.mode, terms.value, terms.direction]
      expect(parseCopy(`${terms.master}>${parts.join(',')}`)).toEqual(rules)
      const spaced = parts.join(`${space},${space}`)
      expect(parseCopyWithSpaces(`${space}${terms.master}${space}>${space}${spaced}${space}`)).toEqual(rules)
    }),
  )
})

test('multiplier is an alias of mult', () => {
  expect(parseCopy('1>2,multiplier,1,same')?.[0]?.mode).toBe('mult')
})

test.each([
  'garbage',
  '1001>mult,1.0,same',
  '1001>,mult,1.0,same',
  '>2001,mult,1.0,same',
  '1001>2001>2002,mult,1.0,same',
  '1001>2001,Mult,1.0,same',
  '1001>2001,mult,0,same',
  '1001>2001,mult,-1,same',
  '1001>2001,mult,1e999,same',
  '1001>2001,mult,x,same',
  '1001>2001,mult,1.0,sideways',
  '1001>0,mult,1.0,same',
  '1001>20 01,mult,1.0,same',
  '18446744073709551616>2001,mult,1.0,same',
])('%s cannot be read', (text) => {
  expect(parseCopy(text)).toBeUndefined()
  expect(parseCopyWithSpaces(text)).toBeUndefined()
})

test('Copy_0, gaps, equal numbers and huge numbers are sorted; empty and other parameters are left out', () => {
  const names = ['Copy_100000000000000000000', 'Copy_7', 'Copy_007', 'Copy_0', 'Copy_', 'copy_1', 'Copy_1a', 'API_Key']
  const parameters = { ...Object.fromEntries(names.map((name) => [name, 'x'])), Copy_3: ' ' }
  expect(copyParameters(parameters, anyCopyName, byNumber).map(({ name }) => name)).toEqual([
    'Copy_0',
    'Copy_007',
    'Copy_7',
    'Copy_100000000000000000000',
  ])
})
