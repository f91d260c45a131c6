import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../client/client.ts'
import { contentOf, describeRule, type Rule, sameContent } from '../model/rule.ts'
import { toJson } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import type { Ledger } from './ledger.ts'
import { differences, foundIn, missingFrom } from './list-state.ts'

/** A list that holds foreign rules, and the ledger of what the kit does to them. */
export interface ForeignList {
  readonly client: Client
  /** Headers of an ordinary request with the right key. */
  readonly headers: Readonly<Record<string, string>>
  /** Null where writes are not allowed. */
  readonly ledger: Ledger | null
  readonly isOwn: (rule: Rule) => boolean
  /** How long another client is waited for: one that is at work changes the list again. */
  readonly quietMs?: number
}

export async function readList({ client, headers }: ForeignList): Promise<readonly Rule[]> {
  return rulesIn(await client({ method: 'GET', path: '/api/rules', headers, body: null }))
}

/** Foreign rules that are in the first list and not in the second. */
export function lostBetween(
  before: readonly Rule[],
  after: readonly Rule[],
  { isOwn }: Pick<ForeignList, 'isOwn'>,
): readonly Rule[] {
  return missingFrom(after, before).filter((rule) => !isOwn(rule))
}

/** Whether the foreign rules that are in both lists have another order in the second one. */
export function isReordered(
  before: readonly Rule[],
  after: readonly Rule[],
  { isOwn }: Pick<ForeignList, 'isOwn'>,
): boolean {
  const [one, other] = [before, after].map((list) => list.filter((rule) => !isOwn(rule))) as [Rule[], Rule[]]
  return differences(foundIn(other, one), foundIn(one, other)).length > 0
}

const defaultQuietMs = 400

/** The list, if its foreign rules stay as in this one for a moment; null if another client is at work. */
export async function readQuiet(known: readonly Rule[], options: ForeignList): Promise<readonly Rule[] | null> {
  const others = (list: readonly Rule[]) => list.filter((rule) => !options.isOwn(rule))
  await delay(options.quietMs ?? defaultQuietMs)
  const list = await readList(options)
  return differences(others(known), others(list)).length === 0 ? list : null
}

/** Lost rules in the ledger make the run end with exit code 5; the message says how to add them again. */
export function recordLost(lost: readonly Rule[], { ledger }: Pick<ForeignList, 'ledger'>): void {
  if (lost.length > 0) ledger?.append({ event: 'lost', rules: lost.map(contentOf) })
}

/** The same for rules that another client may have removed; they are not added again. */
export function recordPossiblyLost(
  rules: readonly Rule[],
  unlisted: boolean,
  { ledger }: Pick<ForeignList, 'ledger'>,
): void {
  ledger?.append({ event: 'possibly-lost', rules: rules.map(contentOf), unlisted })
}

/**
 * Adds a foreign rule again, which is recorded as lost. Returns the status, and the list after it.
 *
 * @param before the list that the rule is from; null if it is not known
 */
export async function addAgain(
  rule: Rule,
  before: readonly Rule[] | null,
  options: ForeignList,
): Promise<{ readonly status: number; readonly list: readonly Rule[] }> {
  const { client, headers, ledger } = options
  const content = contentOf(rule)
  ledger?.append({ event: 'put-back', rule: content })
  const { status } = await client({
    method: 'POST',
    path: '/api/rules',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: Buffer.from(toJson(content)),
  })
  const list = await readList(options)
  if (status === 201 && foundIn(list, [content]).length > 0) {
    ledger?.append({ event: 'is-back', rule: content })
    if (before !== null) recordMove(rule, before, list, options)
  }
  return { status, list }
}

/** Records a rule that was added again at another place than the one it had in the list before. */
function recordMove(
  rule: Rule,
  before: readonly Rule[],
  now: readonly Rule[],
  { ledger, isOwn }: Pick<ForeignList, 'ledger' | 'isOwn'>,
): void {
  const foreign = now.filter((other) => !isOwn(other))
  const at = foreign.findLastIndex((other) => sameContent(other, rule))
  const rest = foreign.filter((_, place) => place !== at)
  const stood = before.indexOf(rule)
  const isAmong = (part: readonly Rule[]) => (other: Rule) => part.some((one) => sameContent(one, other))
  const ahead = rest.findLastIndex(isAmong(before.slice(0, stood)))
  const behind = rest.findIndex(isAmong(before.slice(stood + 1)))
  const wanted = ahead === -1 ? Math.max(behind, 0) : ahead + 1
  if (at === -1 || at === wanted) return
  ledger?.append({ event: 'moved', rule, order: rest.toSpliced(wanted, 0, rule) })
}

/** A list can be thousands of rules long; only the part that differs is shown, and at most so many rules of it. */
const mostShown = 12

/** Two lists where they differ, one line each. */
export function bothLists(before: readonly Rule[], after: readonly Rule[]): readonly string[] {
  const isSame = (one: Rule | undefined, other: Rule | undefined) =>
    one !== undefined && other !== undefined && sameContent(one, other)
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && isSame(before[start], after[start])) start += 1
  let end = 0
  while (end < shortest - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1
  const show = (when: string, list: readonly Rule[]) => {
    const part = list.slice(start, list.length - end)
    const rules = part.slice(0, mostShown).map(describeRule).join(', ') || 'nothing'
    const rest = part.length > mostShown ? `, and ${part.length - mostShown} more` : ''
    return `the list ${when}, ${list.length} rules, has there: ${rules}${rest}`
  }
  return [show('before', before), show('after', after)]
}
