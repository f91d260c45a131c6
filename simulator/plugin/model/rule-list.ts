import type { Rule } from './rule.ts'

/** The rules in their order. Never changed in place: every change makes a new list. */
export type RuleList = readonly Rule[]

/** A new list, and the position of the new rule in it (zero-based). */
export interface Addition {
  readonly rules: RuleList
  readonly position: number
}

/** Adds the rule after all others, whose positions stay. */
export function addAtEnd(rules: RuleList, rule: Rule): Addition {
  return { rules: [...rules, rule], position: rules.length }
}

/** Adds the rule before all others, whose positions increase by one. */
export function addAtStart(rules: RuleList, rule: Rule): Addition {
  return { rules: [rule, ...rules], position: 0 }
}

/** The list without the rule at `position`. Later rules move up by one (clause 4.2 rule 2). */
export function removeAt(rules: RuleList, position: number): RuleList {
  return rules.toSpliced(position, 1)
}

/** Whether `position` is that of a rule in the list. */
export function holds(rules: RuleList, position: number): boolean {
  return Number.isInteger(position) && position >= 0 && position < rules.length
}

/** Whether no rule can be added. A list may also be over its capacity. */
export function isFull(rules: RuleList, capacity: number): boolean {
  return rules.length >= capacity
}
