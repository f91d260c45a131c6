import type { Rule } from './rule.ts'

/** The rules in their order. Never changed in place: every change makes a new list. */
export type RuleList = readonly Rule[]

/** A new list, and where in it the new rule stands (counted from 0). */
export interface Addition {
  readonly rules: RuleList
  readonly position: number
}

/** The rule goes behind all others, whose positions stay. */
export function addAtEnd(rules: RuleList, rule: Rule): Addition {
  return { rules: [...rules, rule], position: rules.length }
}

/** The rule goes before all others, whose positions grow by one. */
export function addAtStart(rules: RuleList, rule: Rule): Addition {
  return { rules: [rule, ...rules], position: 0 }
}

/** The list without the rule at `position`; later rules move up by one (clause 4.2 rule 2). */
export function removeAt(rules: RuleList, position: number): RuleList {
  return rules.toSpliced(position, 1)
}

/** Whether `position` is that of a rule in the list. */
export function holds(rules: RuleList, position: number): boolean {
  return Number.isInteger(position) && position >= 0 && position < rules.length
}

/** Whether there is no room for another rule. A list may also be over its capacity. */
export function isFull(rules: RuleList, capacity: number): boolean {
  return rules.length >= capacity
}
