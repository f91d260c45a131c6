import { crc32 } from 'node:zlib'
import { array, property } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../testing/always.ts'
import type { Rule } from '../model/rule.ts'
import { addAtEnd, arrayOf, removeAt } from '../model/rule-list.ts'
import { anyRule } from '../testing/rules.ts'
import { decodeRules, encodeRules, logChange, UnreadableRulesFileError } from './file-format.ts'

const whole = encodeRules([
  { master: 3005n, follower: 18446744073709551615n, mode: 'mult', value: 1.5, direction: 'same' },
  { master: -7n, follower: 1n, mode: 'fixed', value: 0, direction: 'reverse' },
])

test('any rules that are written can be read back', () => {
  always(
    property(array(anyRule), (rules) => {
      expect(decodeRules(encodeRules(rules))).toEqual(rules)
    }),
  )
})

test('a file holds its content as plain text', () => {
  expect(Buffer.from(whole).toString().split('\n').slice(0, 4)).toEqual([
    'ServiceCopyTrade rules, format 2',
    'rules 2',
    '3005 18446744073709551615 mult 1.5 same',
    '-7 1 fixed 0 reverse',
  ])
})

test('a torn file is detected, wherever it was torn', () => {
  for (let length = 0; length < whole.length; length++) {
    expect(() => decodeRules(whole.subarray(0, length)), `${length} bytes`).toThrow(UnreadableRulesFileError)
  }
})

test('a single changed byte is detected', () => {
  for (let place = 0; place < whole.length; place++) {
    const damaged = Uint8Array.from(whole)
    damaged[place] = (damaged[place] ?? 0) ^ 1
    expect(() => decodeRules(damaged), `byte ${place}`).toThrow(UnreadableRulesFileError)
  }
})

test.each([{ mode: 'both' }, { direction: 'sideways' }])(
  'a file whose rule has %j is rejected, although its checksum is correct',
  (wrong) => {
    const bytes = encodeRules([{ ...added, ...wrong } as Rule])
    expect(() => decodeRules(bytes)).toThrow('Rule 1 of the rules file cannot be read.')
  },
)

test('extra bytes at the end are detected', () => {
  expect(() => decodeRules(Buffer.concat([whole, Buffer.from('\n')]))).toThrow(UnreadableRulesFileError)
  expect(() => decodeRules(Buffer.concat([whole, whole]))).toThrow(UnreadableRulesFileError)
})

const added = { master: 1n, follower: 2n, mode: 'mult', value: 2, direction: 'same' } as const

/** Changes that lead from an empty list to `whole`, and the list after each of them. */
const changes = [
  { position: 2, added },
  { position: 0, added: undefined },
] as const
const longer = addAtEnd(decodeRules(whole), added).rules
const listsAfter = [decodeRules(whole), longer, removeAt(longer, 0)].map(arrayOf)
const log = changes.reduce(logChange, { checksum: crc32(whole), lines: '' }).lines
const withLog = Buffer.concat([whole, Buffer.from(log)])

test('the changes after the list are applied', () => {
  expect(log).toMatch(/^\+ 2 1 2 mult 2 same [\da-f]{8}\n- 0 [\da-f]{8}\n$/)
  expect(decodeRules(withLog)).toEqual(listsAfter[2])
})

test('a change that was not completely written is ignored', () => {
  const first = log.indexOf('\n')
  for (let length = 0; length < log.length; length++) {
    const expected = listsAfter[length <= first ? 0 : 1]
    expect(decodeRules(withLog.subarray(0, whole.length + length)), `${length} characters`).toEqual(expected)
  }
})

test('a single changed byte in a change is detected, as is a missing change between others', () => {
  for (let place = whole.length; place < withLog.length; place++) {
    const damaged = Uint8Array.from(withLog)
    damaged[place] = (damaged[place] ?? 0) ^ 1
    expect(() => decodeRules(damaged), `byte ${place}`).toThrow(UnreadableRulesFileError)
  }
  const second = Buffer.from(log.slice(log.indexOf('\n') + 1))
  expect(() => decodeRules(Buffer.concat([whole, second]))).toThrow(UnreadableRulesFileError)
})
