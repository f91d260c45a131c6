import type { Rule } from './rule.ts'

/**
 * The rules in their order. Immutable: every change makes a new list. It has the methods of an array but no indices: a
 * long list is not copied for each change, but stored as a change of the list before it.
 */
export interface RuleList extends Omit<readonly Rule[], number> {}

/** A new list, and the position of the new rule in it (zero-based). */
export type Addition = ReturnType<typeof add>

/** How a list differs from the one before it: by one rule. */
export interface ListChange {
  readonly position: number
  /** Undefined if the rule at the position was removed. */
  readonly added: Rule | undefined
}

/**
 * How many changes a list may be away from an array, since it keeps all lists in between in memory. An array is then
 * made so seldom that a change takes as long as copying 64 rules.
 */
const maxChanges = (length: number) => 32 + length / 64

/** The list before it, and the change. Its array is made when a rule is first read. */
class ChangedList {
  readonly length: number
  readonly change: ListChange
  /** Undefined once there is an array. */
  before: RuleList | undefined
  array: readonly Rule[] | undefined
  readonly changes: number

  constructor(before: RuleList, change: ListChange) {
    if (before instanceof ChangedList && before.changes > maxChanges(before.length)) arrayOf(before)
    this.length = before.length + (change.added === undefined ? -1 : 1)
    this.change = change
    this.before = before
    this.changes = before instanceof ChangedList && before.array === undefined ? before.changes + 1 : 1
  }
}

// Each method of an array makes the array first, and runs on it.
for (const name of Reflect.ownKeys(Array.prototype)) {
  const method: unknown = Reflect.get(Array.prototype, name)
  if (typeof method !== 'function' || name === 'constructor') continue
  Reflect.defineProperty(ChangedList.prototype, name, {
    value(this: RuleList, ...given: unknown[]) {
      return Reflect.apply(method, arrayOf(this), given)
    },
  })
}

export function arrayOf(rules: RuleList): readonly Rule[] {
  if (!(rules instanceof ChangedList)) return rules as readonly Rule[]
  rules.array ??= makeArray(rules)
  rules.before = undefined
  return rules.array
}

function makeArray(rules: ChangedList & RuleList): readonly Rule[] {
  const changes: ListChange[] = []
  let source: RuleList = rules
  while (source instanceof ChangedList && source.array === undefined) {
    changes.unshift(source.change)
    source = source.before ?? []
  }
  const array = source.slice()
  for (const change of changes) applyChange(array, change)
  return array
}

export function applyChange(rules: Rule[], { position, added }: ListChange): void {
  if (added === undefined) rules.splice(position, 1)
  else rules.splice(position, 0, added)
}

/** The change from `before` to `after`; undefined if it is not a single known change. */
export function changeBetween(before: RuleList, after: RuleList): ListChange | undefined {
  return after instanceof ChangedList && after.before === before ? after.change : undefined
}

/** Adds the rule after all others, which keep their positions. */
export function addAtEnd(rules: RuleList, rule: Rule): Addition {
  return add(rules, rule, rules.length)
}

/** Adds the rule before all others, whose positions increase by one. */
export function addAtStart(rules: RuleList, rule: Rule): Addition {
  return add(rules, rule, 0)
}

/** The list without the rule at `position`. Later rules move up by one (clause 4.2 rule 2). */
export function removeAt(rules: RuleList, position: number): RuleList {
  // A defect may remove at any position.
  if (!holds(rules, position)) return rules.toSpliced(position, 1)
  return new ChangedList(rules, { position, added: undefined }) as unknown as RuleList
}

function add(rules: RuleList, added: Rule, position: number) {
  return { rules: new ChangedList(rules, { position, added }) as unknown as RuleList, position }
}

/** Whether there is a rule at `position`. */
export function holds(rules: RuleList, position: number): boolean {
  return Number.isInteger(position) && position >= 0 && position < rules.length
}

/** Whether no rule can be added. A list may also be over its capacity. */
export function isFull(rules: RuleList, capacity: number): boolean {
  return rules.length >= capacity
}
