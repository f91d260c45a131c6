import { hash } from 'node:crypto'
import { contentOf, type Draft, describeRule, isEqual, loginsOf, type Rule, sameContent } from '../model/rule.ts'
import { toJson } from '../session/plugin.ts'

export type ListState = ReturnType<typeof listState>

/** The list of a target at one moment, with the SHA-256 of the ordered contents in hexadecimal. */
export function listState(rules: readonly Rule[]) {
  return { rules, hash: hash('sha256', toJson(rules.map(contentOf))) }
}

export const orderChanged = 'the order of the rules has changed'

/** The differences between two lists: one line for each missing or new rule, and one for another order. */
export function differences(before: readonly (Draft | Rule)[], after: readonly (Draft | Rule)[]): readonly string[] {
  // Lists are compared at each read and rarely differ.
  if (before.length === after.length && before.every((rule, at) => isEqual(rule, after[at]))) return []
  const left = before.map((rule) => describeRule(contentOf(rule)))
  const right = after.map((rule) => describeRule(contentOf(rule)))
  const missing = without(left, right).map((line) => `missing: ${line}`)
  const added = without(right, left).map((line) => `added: ${line}`)
  const moved = missing.length + added.length === 0 && left.join('\n') !== right.join('\n')
  return [...missing, ...added, ...(moved ? [orderChanged] : [])]
}

/** The rules of the second list that the first one lacks. Equal rules are counted. */
export function missingFrom<Kind extends Draft>(list: readonly Draft[], wanted: readonly Kind[]): readonly Kind[] {
  // A list can have 100,000 rules, and two lists rarely differ at their start.
  let start = 0
  while (isSame(list[start], wanted[start])) start += 1
  const rest = byPair(list.slice(start))
  return wanted.slice(start).filter((rule) => {
    const candidates = rest.get(loginsOf(rule)) ?? []
    const at = candidates.findLastIndex((other) => sameContent(other, rule))
    if (at !== -1) candidates.splice(at, 1)
    return at === -1
  })
}

function byPair(rules: readonly Draft[]): Map<string, Draft[]> {
  const groups = new Map<string, Draft[]>()
  for (const rule of rules) {
    const group = groups.get(loginsOf(rule))
    if (group === undefined) groups.set(loginsOf(rule), [rule])
    else group.push(rule)
  }
  return groups
}

function isSame(one: Draft | undefined, other: Draft | undefined): boolean {
  return one !== undefined && other !== undefined && sameContent(one, other)
}

/** The rules of the first list that the second one has with another mode, value or direction, and what it has. */
export function changedBetween<Kind extends Draft>(
  before: readonly Draft[],
  after: readonly Kind[],
): ReadonlyMap<Draft, Kind> {
  const added = [...missingFrom(before, after)]
  const changes = new Map<Draft, Kind>()
  for (const rule of missingFrom(after, before)) {
    const at = added.findIndex((other) => loginsOf(other) === loginsOf(rule))
    for (const changed of at === -1 ? [] : added.splice(at, 1)) changes.set(rule, changed)
  }
  return changes
}

/** The rules of the second list that are also in the first, in the order of the second. */
export function foundIn<Kind extends Draft>(list: readonly Draft[], wanted: readonly Kind[]): readonly Kind[] {
  const missing = new Set(missingFrom(list, wanted))
  return wanted.filter((rule) => !missing.has(rule))
}

/** Whether the rules that are in both lists have the same order. */
export function haveSameOrder(one: readonly Rule[], other: readonly Rule[]): boolean {
  return differences(foundIn(other, one), foundIn(one, other)).length === 0
}

/** Recognises the rules of the kit; all others are foreign. */
export type IsOwn = (rule: Rule) => boolean

/** What changed in the foreign rules from one list to the next. `reordered`: those in both have another order. */
export function foreignChange(before: readonly Rule[], after: readonly Rule[], isOwn: IsOwn) {
  const one = before.filter((rule) => !isOwn(rule))
  const other = after.filter((rule) => !isOwn(rule))
  return { lost: missingFrom(other, one), added: missingFrom(one, other), reordered: !haveSameOrder(one, other) }
}

/** The lost rules that are still missing. Of equal rules, as many as the list lacks: one may be lost several times. */
export function stillLost(lost: readonly Draft[], before: readonly Rule[], list: readonly Draft[]): readonly Draft[] {
  const known = before.map(contentOf)
  for (const rule of lost) {
    // Another client added it during the run.
    if (!known.some((other) => sameContent(other, rule))) known.push(rule)
  }
  return missingFrom(list, known).filter((rule) => lost.some((other) => sameContent(other, rule)))
}

/** The lines without those in `taken`, each as often as it occurs there. */
export function without(lines: readonly string[], taken: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of taken) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    if (count > 0) left.set(line, count - 1)
    return count === 0
  })
}

/** A list can have thousands of rules. Only the part that differs is shown, and at most this many rules of it. */
const maxShown = 12

/** The differing part of two lists, one line each. */
export function bothLists(before: readonly Rule[], after: readonly Rule[]): readonly string[] {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && isSame(before[start], after[start])) start += 1
  let end = 0
  while (end < shortest - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1
  const show = (when: string, list: readonly Rule[]) => {
    const part = list.slice(start, list.length - end)
    const rules = part.slice(0, maxShown).map(describeRule).join(', ') || 'nothing'
    const rest = part.length > maxShown ? `, and ${part.length - maxShown} more` : ''
    return `the list ${when} (rules: ${list.length}), where it differs: ${rules}${rest}`
  }
  return [show('before', before), show('after', after)]
}
