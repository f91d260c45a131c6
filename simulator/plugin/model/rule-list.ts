import type { Rule } from './rule.ts'

/** The rules in their order. Immutable: every change makes a new list. */
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

/** Weak, since a list would otherwise keep all earlier ones in memory. */
const origins = new WeakMap<RuleList, { readonly before: WeakRef<RuleList>; readonly change: ListChange }>()

/** The change from `before` to `after`; undefined if it is not a single known change. */
export function changeBetween(before: RuleList, after: RuleList): ListChange | undefined {
  const origin = origins.get(after)
  return origin?.before.deref() === before ? origin.change : undefined
}

/** Records the change that made `after` from `before`. */
function made(after: RuleList, before: RuleList, change: ListChange): RuleList {
  origins.set(after, { before: new WeakRef(before), change })
  return after
}

/** Adds the rule after all others, which keep their positions. */
export function addAtEnd(rules: RuleList, rule: Rule): Addition {
  const position = rules.length
  // `splice` at the end would copy a long list twice.
  return { rules: made(rules.concat([rule]), rules, { position, added: rule }), position }
}

/** Adds the rule before all others, whose positions increase by one. */
export function addAtStart(rules: RuleList, rule: Rule): Addition {
  return { rules: made([rule].concat(rules), rules, { position: 0, added: rule }), position: 0 }
}

/** The list without the rule at `position`. Later rules move up by one (clause 4.2 rule 2). */
export function removeAt(rules: RuleList, position: number): RuleList {
  // In Node.js 20, `toSpliced` takes ten times as long.
  const after = rules.slice()
  after.splice(position, 1)
  return made(after, rules, { position, added: undefined })
}

/** Whether there is a rule at `position`. */
export function holds(rules: RuleList, position: number): boolean {
  return Number.isInteger(position) && position >= 0 && position < rules.length
}

/** Whether no rule can be added. A list may also be over its capacity. */
export function isFull(rules: RuleList, capacity: number): boolean {
  return rules.length >= capacity
}
