import type { Rule } from './rule.ts'

/** The rules in their order. Never changed in place: every change makes a new list. */
export type RuleList = readonly Rule[]

/** A new list, and the position of the new rule in it (zero-based). */
export interface Addition {
  readonly rules: RuleList
  readonly position: number
}

/** How a list differs from the one before it: by one rule. */
export interface ListChange {
  readonly position: number
  /** Undefined if the rule at the position was removed. */
  readonly added: Rule | undefined
}

/** Weak, since a list would otherwise keep all those before it. */
const origins = new WeakMap<RuleList, { readonly before: WeakRef<RuleList>; readonly change: ListChange }>()

/** The change that has made `after` of `before`; undefined where it is another one, or not known. */
export function changeBetween(before: RuleList, after: RuleList): ListChange | undefined {
  const origin = origins.get(after)
  return origin?.before.deref() === before ? origin.change : undefined
}

/** Remembers how `after` was made of `before`. */
function made(after: RuleList, before: RuleList, change: ListChange): RuleList {
  origins.set(after, { before: new WeakRef(before), change })
  return after
}

/** Adds the rule after all others, whose positions stay. */
export function addAtEnd(rules: RuleList, rule: Rule): Addition {
  const position = rules.length
  // A long list is copied twice by `splice` at its end.
  return { rules: made(rules.concat([rule]), rules, { position, added: rule }), position }
}

/** Adds the rule before all others, whose positions increase by one. */
export function addAtStart(rules: RuleList, rule: Rule): Addition {
  return { rules: made([rule].concat(rules), rules, { position: 0, added: rule }), position: 0 }
}

/** The list without the rule at `position`. Later rules move up by one (clause 4.2 rule 2). */
export function removeAt(rules: RuleList, position: number): RuleList {
  // Node.js 20 takes ten times as long for `toSpliced`.
  const after = rules.slice()
  after.splice(position, 1)
  return made(after, rules, { position, added: undefined })
}

/** Whether `position` is that of a rule in the list. */
export function holds(rules: RuleList, position: number): boolean {
  return Number.isInteger(position) && position >= 0 && position < rules.length
}

/** Whether no rule can be added. A list may also be over its capacity. */
export function isFull(rules: RuleList, capacity: number): boolean {
  return rules.length >= capacity
}
