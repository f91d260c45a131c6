import { array, constantFrom, integer, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../testing/always.ts'
import { anyRule } from '../testing/rules.ts'
import type { Rule } from './rule.ts'
import { addAtEnd, addAtStart, arrayOf, holds, isFull, type RuleList, removeAt } from './rule-list.ts'

const anyList = array(anyRule, { minLength: 1, maxLength: 20 })

test('a new rule is at the reported position, and the others keep their order', () => {
  always(
    property(anyList, anyRule, constantFrom(addAtEnd, addAtStart), (rules, rule, add) => {
      const added = add(rules, rule)
      expect(arrayOf(added.rules)[added.position]).toBe(rule)
      expect(arrayOf(removeAt(added.rules, added.position))).toEqual(rules)
    }),
  )
})

test('removing a rule moves the later ones up by one and does not move the earlier ones', () => {
  always(
    property(anyList, nat(), (rules, number) => {
      const position = number % rules.length
      const left = removeAt(rules, position)
      expect(left.slice(0, position)).toEqual(rules.slice(0, position))
      expect(left.slice(position)).toEqual(rules.slice(position + 1))
    }),
  )
})

test('after thousands of changes every earlier list has the rules that it had', () => {
  const rule = { master: 1n, follower: 2n, mode: 'mult', value: 1, direction: 'same' } as const
  const lists: [list: RuleList, rules: readonly Rule[]][] = [[[], []]]
  for (let change = 1; change < 2_500; change += 1) {
    const [list, rules] = lists.at(-1) ?? [[], []]
    const position = (change * 7) % (rules.length + 1)
    const one = { ...rule, follower: BigInt(change) }
    if (change % 3 === 0) lists.push([removeAt(list, position), rules.toSpliced(position, 1)])
    else if (change % 3 === 1) lists.push([addAtEnd(list, one).rules, [...rules, one]])
    else lists.push([addAtStart(list, one).rules, [one, ...rules]])
    // Some lists are read while they are new.
    if (change % 100 === 0) expect(arrayOf(lists.at(-1)?.[0] ?? [])).toHaveLength(lists.at(-1)?.[1].length ?? 0)
  }
  for (const [list, rules] of lists) expect(list.slice()).toStrictEqual(rules)
})

test('a list has a rule at exactly the positions below its length', () => {
  always(
    property(anyList, integer(), (rules, position) => {
      expect(holds(rules, position)).toBe(rules[position] !== undefined)
    }),
  )
  expect(holds([], 0)).toBe(false)
  expect(holds([], Number.POSITIVE_INFINITY)).toBe(false)
})

test('a list is full at its capacity and above', () => {
  expect([0, 1, 2].map((length) => isFull(new Array(length).fill(undefined), 1))).toEqual([false, true, true])
})
