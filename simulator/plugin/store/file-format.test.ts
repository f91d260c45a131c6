import { array, property } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../testing/always.ts'
import { anyRule } from '../testing/rules.ts'
import { decodeRules, encodeRules, UnreadableRulesFileError } from './file-format.ts'

const whole = encodeRules([
  { master: 3005n, follower: 18446744073709551615n, mode: 'mult', value: 1.5, direction: 'same' },
  { master: -7n, follower: 1n, mode: 'fixed', value: 0, direction: 'reverse' },
])

test('whatever rules are written are read again', () => {
  always(
    property(array(anyRule), (rules) => {
      expect(decodeRules(encodeRules(rules))).toEqual(rules)
    }),
  )
})

test('a file says in plain text what it holds', () => {
  expect(Buffer.from(whole).toString().split('\n').slice(0, 4)).toEqual([
    'ServiceCopyTrade rules, format 1',
    'rules 2',
    '3005 18446744073709551615 mult 1.5 same',
    '-7 1 fixed 0 reverse',
  ])
})

test('a torn file is found out, wherever it was torn', () => {
  for (let length = 0; length < whole.length; length++) {
    expect(() => decodeRules(whole.subarray(0, length)), `${length} bytes`).toThrow(UnreadableRulesFileError)
  }
})

test('a single changed byte is found out', () => {
  for (let place = 0; place < whole.length; place++) {
    const damaged = Uint8Array.from(whole)
    damaged[place] = (damaged[place] ?? 0) ^ 1
    expect(() => decodeRules(damaged), `byte ${place}`).toThrow(UnreadableRulesFileError)
  }
})

test('bytes behind the end are found out', () => {
  expect(() => decodeRules(Buffer.concat([whole, Buffer.from('\n')]))).toThrow(UnreadableRulesFileError)
  expect(() => decodeRules(Buffer.concat([whole, whole]))).toThrow(UnreadableRulesFileError)
})
