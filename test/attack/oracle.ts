import type { List, ListedRule, Passed } from '../../fixtures/proxies/serialising.ts'

/** What happened to the foreign rules, according to the log of the proxy. Rules are compared by content. */
export interface ActualChanges {
  /** The foreign rules that must be in the list, in their order. */
  readonly expected: readonly string[]
  /** Expected rules that are not in the list at the end. */
  readonly lost: readonly string[]
  /**
   * Lost rules that no request of the kit could show: they were in no list that the kit has read, and the lists around
   * the DELETE that removed them are those of an ordinary removal.
   */
  readonly invisible: readonly string[]
  /** Lost rules that the kit could not name: no list that it has read shows them since their owner last added them. */
  readonly unlisted: readonly string[]
  /** Rules that the kit added after their owner had removed them. */
  readonly revived: readonly string[]
  /** Rules that the kit added although they were in the list. */
  readonly duplicated: readonly string[]
  /** Whether the foreign rules in the list at the end have another order. */
  readonly reordered: boolean
  /** Foreign rules that a request of the kit removed, even if they were added again. */
  readonly takenByKit: readonly string[]
  /** Foreign rules that the other client removed. */
  readonly removedByOther: readonly string[]
  /** Rules in the list at the end that are not foreign. */
  readonly left: readonly string[]
  /** How many DELETE requests of the kit removed a rule, and how many of them a foreign one. */
  readonly deletes: number
  readonly hits: number
}

export interface Observed {
  readonly first: List
  readonly passed: readonly Passed[]
  readonly last: List
}

/** A rule as the kit prints it, without the index. */
export function contentOf({ master, follower, mode, value, direction }: Omit<ListedRule, 'index'>): string {
  return `${master}>${follower} ${mode} ${value} ${direction}`
}

export function actualChanges({ first, passed, last }: Observed): ActualChanges {
  const initial = contents(first)
  const foreign = new Set(initial)
  const found = {
    takenByKit: [] as string[],
    removedByOther: [] as string[],
    revived: [] as string[],
    duplicated: [] as string[],
  }
  let expected: readonly string[] = initial
  let deletes = 0
  let hits = 0
  for (const { by, method, before, after } of passed) {
    if (before === null || after === null) continue
    const removed = without(contents(before), contents(after))
    const added = without(contents(after), contents(before))
    if (by === 'other') {
      for (const rule of added) foreign.add(rule)
      found.removedByOther.push(...removed.filter((rule) => foreign.has(rule)))
      expected = afterEdit(expected, removed, added, contents(after))
      continue
    }
    const taken = removed.filter((rule) => foreign.has(rule))
    found.takenByKit.push(...taken)
    if (method === 'DELETE' && removed.length > 0) deletes += 1
    if (method === 'DELETE' && taken.length > 0) hits += 1
    for (const rule of added.filter((one) => foreign.has(one))) {
      if (!expected.includes(rule)) found.revived.push(rule)
      else if (contents(before).includes(rule)) found.duplicated.push(rule)
    }
  }
  const listed = contents(last)
  const lost = without(expected, listed)
  const kept = listed.filter((rule) => foreign.has(rule))
  return {
    ...{ expected, deletes, hits },
    ...found,
    lost,
    invisible: lost.filter((rule) => isInvisible(rule, passed)),
    unlisted: lost.filter((rule) => isUnlisted(rule, passed)),
    reordered: isReordered(kept, expected),
    left: listed.filter((rule) => !foreign.has(rule)),
  }
}

function isUnlisted(rule: string, passed: readonly Passed[]): boolean {
  const added = passed.findLastIndex(
    ({ by, before, after }) => by === 'other' && without(contents(after), contents(before)).includes(rule),
  )
  return added !== -1 && !passed.slice(added).some((one) => isRead(one) && contents(one.before).includes(rule))
}

const isRead = ({ by, method }: Passed) => by === 'kit' && method === 'GET'

function isInvisible(rule: string, passed: readonly Passed[]): boolean {
  if (passed.some((one) => isRead(one) && contents(one.before).includes(rule))) return false
  const at = passed.findIndex(
    ({ by, before, after }) => by === 'kit' && without(contents(before), contents(after)).includes(rule),
  )
  const listBefore = contents(passed.slice(0, at).findLast(isRead)?.before ?? null)
  const listAfter = contents(passed.slice(at).find(isRead)?.before ?? null)
  const index = Number(passed[at]?.path.split('/').at(-1))
  const named = passed
    .slice(0, at)
    .findLast(isRead)
    ?.before?.find((listed) => listed.index === index)
  const missing = without(listBefore, listAfter)
  const isOrdinary = missing.length === 1 && without(listAfter, listBefore).length === 0
  return isOrdinary && named !== undefined && missing[0] === contentOf(named) && isOwn(contentOf(named))
}

/** Whether a rule has a login in the kit's range. */
function isOwn(rule: string): boolean {
  return /\b900000\d{3}\b/.test(rule)
}

function contents(list: List): readonly string[] {
  return (list ?? []).map(contentOf)
}

/** The rules of the first list that the second one lacks, counting duplicates. */
function without(rules: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others]
  return rules.filter((rule) => {
    const at = rest.indexOf(rule)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
}

/**
 * The expected rules after an edit of the other client. A new rule is inserted before the rule that follows it in the
 * list.
 */
function afterEdit(
  expected: readonly string[],
  removed: readonly string[],
  added: readonly string[],
  after: readonly string[],
): readonly string[] {
  const next = [...without(expected, removed)]
  for (const rule of added.toReversed()) {
    const following = after.slice(after.lastIndexOf(rule) + 1).find((other) => next.includes(other))
    next.splice(following === undefined ? next.length : next.indexOf(following), 0, rule)
  }
  return next
}

function isReordered(kept: readonly string[], expected: readonly string[]): boolean {
  const both = (list: readonly string[], other: readonly string[]) => list.filter((rule) => other.includes(rule))
  const unique = [...new Set(both(kept, expected))]
  const wanted = [...new Set(both(expected, kept))]
  return unique.join('\n') !== wanted.join('\n')
}
