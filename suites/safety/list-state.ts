import { createHash } from 'node:crypto'
import type { Draft, Rule } from '../model/rule.ts'
import { contentOf, describeRule, sameContent } from '../model/rule.ts'
import { toJson } from '../session/plugin.ts'

/** The list of a target at one moment. */
export interface ListState {
  readonly rules: readonly Rule[]
  /** SHA-256 of the contents in their order, in hexadecimal. */
  readonly hash: string
}

export function listState(rules: readonly Rule[]): ListState {
  const hash = createHash('sha256')
    .update(toJson(rules.map(contentOf)))
    .digest('hex')
  return { rules, hash }
}

export const orderChanged = 'the order of the rules has changed'

/** The differences between two lists, one line for each rule that is missing or new, or for another order. */
export function differences(before: readonly Rule[], after: readonly Rule[]): readonly string[] {
  // Lists are compared at each read and rarely differ.
  if (before.length === after.length && before.every((rule, at) => isEqual(rule, after[at]))) return []
  const left = before.map((rule) => describeRule(contentOf(rule)))
  const right = after.map((rule) => describeRule(contentOf(rule)))
  const missing = without(left, right).map((line) => `missing: ${line}`)
  const added = without(right, left).map((line) => `left behind: ${line}`)
  const moved = missing.length + added.length === 0 && left.join('\n') !== right.join('\n')
  return [...missing, ...added, ...(moved ? [orderChanged] : [])]
}

/** Whether two lists have the same rules in the same order, with the same indices. */
export function isSameList(one: readonly Rule[], other: readonly Rule[]): boolean {
  return (
    one.length === other.length && one.every((rule, at) => isEqual(rule, other[at]) && rule.index === other[at]?.index)
  )
}

function isEqual(one: Draft, other: Draft | undefined): boolean {
  return (
    one.master === other?.master &&
    one.follower === other.follower &&
    one.mode === other.mode &&
    one.value === other.value &&
    one.direction === other.direction
  )
}

/** The rules of the second list that the first one lacks; equal rules are counted. */
export function missingFrom<Kind extends Draft>(list: readonly Draft[], wanted: readonly Kind[]): readonly Kind[] {
  const rest = [...list]
  return wanted.filter((rule) => {
    const at = rest.findIndex((other) => sameContent(other, rule))
    if (at === -1) return true
    rest.splice(at, 1)
    return false
  })
}

/** The rules of the second list that the first one holds too, in the order of the second. */
export function foundIn<Kind extends Draft>(list: readonly Draft[], wanted: readonly Kind[]): readonly Kind[] {
  const missing = new Set(missingFrom(list, wanted))
  return wanted.filter((rule) => !missing.has(rule))
}

/**
 * The lost rules that are still missing: of equal rules as many as the list lacks compared with the
 * original list. The same rule may have been lost several times.
 */
export function stillLost(lost: readonly Draft[], before: readonly Rule[], list: readonly Draft[]): readonly Draft[] {
  const known = before.map(contentOf)
  for (const rule of lost) {
    // Another client added it during the run.
    if (!known.some((other) => sameContent(other, rule))) known.push(rule)
  }
  return missingFrom(list, known).filter((rule) => lost.some((other) => sameContent(other, rule)))
}

function without(lines: readonly string[], taken: readonly string[]): string[] {
  const rest = [...taken]
  return lines.filter((line) => {
    const at = rest.indexOf(line)
    if (at === -1) return true
    rest.splice(at, 1)
    return false
  })
}
