import { isRateLimited, sendPatiently } from '../client/rate-limit.ts'
import { NoResponse } from '../client/response.ts'
import { contentOf, type Draft, type Rule, sameContent } from '../model/rule.ts'
import { isWithin, type LoginRange } from '../session/logins.ts'
import { cleanUpPlugin } from './guard.ts'
import type { Ledger } from './ledger.ts'
import { foundIn, missingFrom } from './list-state.ts'
import { type ForeignList, putBack, readList } from './protected-list.ts'

export interface RestoreRulesOptions extends Pick<ForeignList, 'client' | 'key'> {
  readonly logins: LoginRange
  readonly ledger: Ledger
  /** The foreign rules before the run, in order. */
  readonly order: readonly Draft[]
  /** The foreign rules that the kit removed from the list. */
  readonly removed: readonly Draft[]
  /** Whether the server removes the rule that a DELETE names. Otherwise rules are only added, at any position. */
  readonly isRemovalSafe?: boolean
}

/** The end of the list at which the server inserts new rules. */
type InsertionEnd = 'end' | 'start'

/** Enough for occasional broken connections. */
const attempts = 5

/**
 * Adds the removed rules again, so that the list has its original order. Rules after a gap are removed, once they are
 * recorded, and added again. Rules of other clients are left alone. Returns the resulting list.
 */
export async function restoreRules(options: RestoreRulesOptions): Promise<readonly Rule[]> {
  let removed = options.removed
  const take = (rules: readonly Draft[]) => {
    removed = rules
    options.ledger.append({ event: 'held', rules: rules.map(contentOf) })
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await restoreRulesOnce({ ...options, removed }, take)
    } catch (error) {
      // The list shows whether a request without a response had an effect.
      if (!(error instanceof NoResponse) || attempt === attempts) throw error
    }
  }
}

/** @param take called with the rules that the kit has to add again, before it removes some of them */
async function restoreRulesOnce(
  options: RestoreRulesOptions,
  take: (rules: readonly Draft[]) => void,
): Promise<readonly Rule[]> {
  const { order, removed } = options
  const list = await readList(options)
  // Of equal rules one may be in the list while another was removed.
  const missing = foundIn(removed, missingFrom(list, order))
  const wanted = foundIn([...list, ...missing], order)
  const present = foundIn(wanted, list)
  const isInOrder = present.every((rule, at) => sameContent(rule, wanted[at] ?? rule))
  if (isInOrder && present.length === wanted.length) return list
  if (options.isRemovalSafe === false) {
    for (const rule of missing) await add(rule, options)
    return readList(options)
  }
  const insertionEnd = wanted.length < 2 ? 'end' : await detectInsertionEnd(options)
  const fromFixedEnd = <Kind>(rules: readonly Kind[]) => (insertionEnd === 'end' ? rules : rules.toReversed())
  const target = fromFixedEnd(wanted)
  const standing = fromFixedEnd(present)
  const firstMoved = standing.findIndex((rule, at) => !sameContent(rule, target[at] ?? rule))
  const settled = firstMoved === -1 ? standing.length : firstMoved
  const moved = standing.slice(settled)
  take([...missing, ...moved])
  await remove(moved, insertionEnd, options)
  for (const rule of target.slice(settled)) await add(rule, options)
  return readList(options)
}

/** Adds rules of the kit temporarily and reads their positions. */
async function detectInsertionEnd(options: RestoreRulesOptions): Promise<InsertionEnd> {
  const { from: master, to: follower } = options.logins
  const probes = [1, 2].map((value): Draft => ({ master, follower, mode: 'mult', value, direction: 'same' }))
  // An earlier attempt that got no response may have added one.
  await remove(probes, 'end', options)
  for (const probe of probes) {
    // A nearly full list has no room for both. One next to other rules is enough.
    if ((await putBack(probe, options)) !== 201) break
  }
  const list = await readList(options)
  const own = list.filter((rule) => probes.some((probe) => sameContent(probe, rule)))
  const [first, second] = own
  await remove(own, 'end', options)
  if (first === undefined) return 'end'
  if (second !== undefined) return first.value < second.value ? 'end' : 'start'
  return list.indexOf(first) === 0 && list.length > 1 ? 'start' : 'end'
}

/** Removes these rules through the guard, of equal ones those nearest to the end where new rules are inserted. */
async function remove(rules: readonly Draft[], end: InsertionEnd, options: RestoreRulesOptions): Promise<void> {
  if (rules.length === 0) return
  const { client, key, ledger, logins } = options
  const isOwn = (rule: Rule) => isWithin(logins, rule) || rules.some((other) => sameContent(other, rule))
  const list = await readList(options)
  const plugin = cleanUpPlugin({ client, key, ledger, isOwn }, list)
  const found = end === 'end' ? foundIn(rules, list.toReversed()) : foundIn(rules, list).toReversed()
  for (const { index } of found) {
    const response = await sendPatiently(() => plugin.remove(index))
    // The rule would be in the list twice if it were added again now.
    if (isRateLimited(response)) throw new RuleNotRestored(`a rule could not be moved (status ${response.status})`)
  }
}

/** Throws `RuleNotRestored` if the server rejects the rule. */
async function add(rule: Draft, options: RestoreRulesOptions): Promise<void> {
  const status = await putBack(rule, options)
  if (status !== 201) throw new RuleNotRestored(`a foreign rule could not be added again (status ${status})`)
}

export class RuleNotRestored extends Error {
  override readonly name = 'RuleNotRestored'
}
