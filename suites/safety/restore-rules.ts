import type { Client } from '../client/client.ts'
import { NoResponse } from '../client/response.ts'
import { contentOf, type Draft, type Rule, sameContent } from '../model/rule.ts'
import { isWithin, type LoginRange } from '../session/logins.ts'
import { createPlugin, keyHeader } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { createWatch } from './concurrent-edit.ts'
import { guardClient, removalsOnly } from './guard.ts'
import type { Ledger } from './ledger.ts'
import { foundIn, missingFrom } from './list-state.ts'

export interface RestoreRulesOptions {
  /** Sends requests to the target as they are. */
  readonly client: Client
  readonly key: string
  readonly logins: LoginRange
  readonly ledger: Ledger
  /** The rules of others as they stood before, in their order. */
  readonly order: readonly Draft[]
  /** Those of them that the kit took out of the list, in whatever way. */
  readonly removed: readonly Draft[]
}

/** Which end of the list takes a new rule. */
type InsertionEnd = 'end' | 'start'

/** Enough for a connection that is cut now and then. */
const attempts = 5

/**
 * Adds the held rules that the list lacks, so that it stands in the old order again. Rules that
 * stand behind a gap are moved: they are written down as held, removed and added again. Whatever
 * else somebody added meanwhile is left alone. Returns the list as it is then.
 */
export async function restoreRules(options: RestoreRulesOptions): Promise<readonly Rule[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await restoreRulesOnce(options)
    } catch (error) {
      // Whether a request that got no answer had an effect shows in the list.
      if (!(error instanceof NoResponse) || attempt === attempts) throw error
    }
  }
}

async function restoreRulesOnce(options: RestoreRulesOptions): Promise<readonly Rule[]> {
  const { order, removed, ledger } = options
  const list = await readList(options)
  // Of equal rules one may stand in the list while another is held.
  const missing = foundIn(removed, missingFrom(list, order))
  const wanted = foundIn([...list, ...missing], order)
  const present = foundIn(wanted, list)
  if (inSameOrder(present, wanted)) return list
  const insertionEnd = wanted.length < 2 ? 'end' : await learnInsertionEnd(options)
  const fromFixedEnd = <Kind>(rules: readonly Kind[]) => (insertionEnd === 'end' ? rules : rules.toReversed())
  const target = fromFixedEnd(wanted)
  const standing = fromFixedEnd(present)
  const kept = standing.findIndex((rule, at) => !sameContent(rule, target[at] ?? rule))
  const settled = kept === -1 ? standing.length : kept
  const moved = standing.slice(settled)
  ledger.append({ event: 'held', rules: [...missing, ...moved].map(withoutIndex) })
  await remove(moved, insertionEnd, options)
  for (const rule of target.slice(settled)) await add(rule, options)
  return readList(options)
}

function inSameOrder(present: readonly Draft[], wanted: readonly Draft[]): boolean {
  return (
    present.length === wanted.length &&
    present.every((rule, at) => {
      const other = wanted[at]
      return other !== undefined && sameContent(rule, other)
    })
  )
}

/** Adds rules of the kit's own for a moment and looks where they stand. */
async function learnInsertionEnd(options: RestoreRulesOptions): Promise<InsertionEnd> {
  const { master, follower } = { master: options.logins.from, follower: options.logins.to }
  const probes = [1, 2].map((value): Draft => ({ master, follower, mode: 'mult', value, direction: 'same' }))
  for (const probe of probes) {
    // A list that is nearly full has no room for both; one next to others says as much.
    if ((await tryAdd(probe, options)) !== 201) break
  }
  const list = await readList(options)
  const own = list.filter((rule) => probes.some((probe) => sameContent(probe, rule)))
  const [first, second] = own
  await remove(own, 'end', options)
  if (first === undefined) return 'end'
  if (second !== undefined) return first.value < second.value ? 'end' : 'start'
  return list.indexOf(first) === 0 && list.length > 1 ? 'start' : 'end'
}

/**
 * Removes these rules, the last one first, behind the guard; of equal rules those that stand nearest
 * to the side where new rules go, since the others stay.
 */
async function remove(
  rules: readonly Draft[],
  insertionEnd: InsertionEnd,
  options: RestoreRulesOptions,
): Promise<void> {
  if (rules.length === 0) return
  const { client, key, ledger, logins } = options
  const headers = keyHeader(key)
  const isOwn = (rule: Rule) => isWithin(logins, rule) || rules.some((other) => sameContent(other, rule))
  const list = await readList(options)
  const watch = createWatch(list, isOwn)
  const guard = guardClient({ client, headers, ledger, watch, isOwn, ...removalsOnly })
  const plugin = createPlugin(guard, key)
  const found = insertionEnd === 'end' ? foundIn(rules, list.toReversed()) : foundIn(rules, list).toReversed()
  for (const { index } of found) await plugin.remove(index)
}

/** Throws `RuleNotRestored` where the server does not take the rule. */
async function add(rule: Draft, options: RestoreRulesOptions): Promise<void> {
  const status = await tryAdd(rule, options)
  if (status !== 201) throw new RuleNotRestored(`a rule of somebody else could not be added again (status ${status})`)
}

async function tryAdd(rule: Draft, { client, key, ledger }: RestoreRulesOptions): Promise<number> {
  ledger.append({ event: 'put-back', rule: withoutIndex(rule) })
  return (await createPlugin(client, key).add(withoutIndex(rule))).status
}

async function readList({ client, key }: RestoreRulesOptions): Promise<readonly Rule[]> {
  return rulesIn(await createPlugin(client, key).list())
}

function withoutIndex(rule: Draft & { readonly index?: number }): Draft {
  return contentOf({ index: 0, ...rule })
}

/** The server refuses a rule that it held before. */
export class RuleNotRestored extends Error {
  override readonly name = 'RuleNotRestored'
}
