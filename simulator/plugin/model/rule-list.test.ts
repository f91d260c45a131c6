import { array, constantFrom, integer, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../testing/always.ts'
import { anyRule } from '../testing/rules.ts'
import { addAtEnd, addAtStart, holds, isFull, removeAt } from './rule-list.ts'

const anyList = array(anyRule, { minLength: 1, maxLength: 20 })

test('a new rule is at the reported position, and the others keep their order', () => {
  always(
    property(anyList, anyRule, constantFrom(addAtEnd, addAtStart), (rules, rule, add) => {
      const added = add(rules, rule)
      expect(added.rules[added.position]).toBe(rule)
      expect(removeAt(added.rules, added.position)).toEqual(rules)
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
