import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../client/client.ts'
import type { Rule } from '../model/rule.ts'
import { createPlugin, keyHeader } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { ConcurrentEdit, createWatch, WrongRuleRemoved } from './concurrent-edit.ts'
import { guardClient, removalsOnly } from './guard.ts'
import type { Ledger } from './ledger.ts'

export interface RestoreOptions {
  /** Sends requests to the target as they are. */
  readonly client: Client
  readonly key: string
  /** Whether a rule is one that the kit wrote. */
  readonly isOwn: (rule: Rule) => boolean
  readonly ledger: Ledger | null
  /** How long to try while other clients change the list. */
  readonly timeoutMs: number
  /** Why removals are unsafe; the list is then only read. */
  readonly removalUnsafeReason?: string | null
}

export interface Restored {
  readonly list: readonly Rule[]
  /** Rules of the kit that could not be removed. */
  readonly left: readonly Rule[]
  /** Concurrent edits during the clean-up, as messages. */
  readonly edits: readonly string[]
  /** Why further removals are unsafe; null where they are safe. */
  readonly removalUnsafeReason: string | null
}

/** The list must stay unchanged for this time before a rule is removed. */
const quietMs = 150

/**
 * Removes the kit's rules, the last one first, through the guard, and only while the list stays
 * unchanged: during a concurrent edit an index may point to another rule when the request arrives. The
 * caller closes the ledger when nothing is left.
 *
 * @throws {NoResponse} if the target is gone
 */
export async function restoreList(options: RestoreOptions): Promise<Restored> {
  const { client, key, isOwn, ledger, timeoutMs } = options
  const headers = keyHeader(key)
  const read = async () => rulesIn(await client({ method: 'GET', path: '/api/rules', headers, body: null }))
  const deadline = Date.now() + timeoutMs
  const edits = new Set<string>()
  let removalUnsafeReason = options.removalUnsafeReason ?? null

  let list = await read()
  while (removalUnsafeReason === null && list.some(isOwn) && Date.now() < deadline) {
    const known = list
    await delay(quietMs)
    list = await read()
    if (JSON.stringify(known, exact) !== JSON.stringify(list, exact)) continue
    const edit = await removeAll(list, { client, headers, ledger, isOwn, key })
    const ownBefore = list.filter(isOwn).length
    list = await read()
    // Each further removal would hit a foreign rule again.
    if (edit instanceof WrongRuleRemoved) {
      removalUnsafeReason = edit.message
      break
    }
    if (edit !== null) edits.add(edit.message)
    // A server that removes nothing must not cause an endless loop.
    else if (list.filter(isOwn).length >= ownBefore) break
  }
  return { list, left: list.filter(isOwn), edits: [...edits], removalUnsafeReason }
}

interface RemoveOptions {
  readonly client: Client
  readonly headers: Readonly<Record<string, string>>
  readonly ledger: Ledger | null
  readonly isOwn: (rule: Rule) => boolean
  readonly key: string
}

/** Removes the kit's rules. Returns the concurrent edit that stopped it; null for none. */
async function removeAll(
  list: readonly Rule[],
  { client, headers, ledger, isOwn, key }: RemoveOptions,
): Promise<ConcurrentEdit | null> {
  const watch = createWatch(list, isOwn)
  const plugin = createPlugin(guardClient({ client, headers, ledger, watch, isOwn, ...removalsOnly() }), key)
  try {
    for (const rule of list.filter(isOwn).toReversed()) await plugin.remove(rule.index)
    return null
  } catch (error) {
    if (error instanceof ConcurrentEdit) return error
    throw error
  }
}

function exact(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
