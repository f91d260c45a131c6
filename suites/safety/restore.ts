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
  /** How long to try while somebody else changes the list. */
  readonly timeoutMs: number
  /** Why nothing may be removed, if it may not: then the list is only read. */
  readonly removalUnsafeReason?: string | null
}

export interface Restored {
  readonly list: readonly Rule[]
  /** Rules of the kit that could not be taken away. */
  readonly left: readonly Rule[]
  /** What somebody else did meanwhile, in words. */
  readonly troubles: readonly string[]
  /** Why the server must not be asked to remove anything more; null where it may. */
  readonly removalUnsafeReason: string | null
}

/** Two reads that far apart must agree before a rule is removed. */
const quietMs = 150

/**
 * Takes away the kit's rules, the last one first, each behind the guard and each only after the
 * list has kept still for a moment: while somebody else changes it, an index may point to another
 * rule by the time that it arrives. Whoever calls this closes the ledger when nothing is left to do.
 * Throws `NoResponse` if the target is gone.
 */
export async function restoreList(options: RestoreOptions): Promise<Restored> {
  const { client, key, isOwn, ledger, timeoutMs } = options
  const headers = keyHeader(key)
  const read = async () => rulesIn(await client({ method: 'GET', path: '/api/rules', headers, body: null }))
  const deadline = Date.now() + timeoutMs
  const troubles = new Set<string>()
  let removalUnsafeReason = options.removalUnsafeReason ?? null

  let list = await read()
  while (removalUnsafeReason === null && list.some(isOwn) && Date.now() < deadline) {
    const known = list
    await delay(quietMs)
    list = await read()
    if (JSON.stringify(known, exact) !== JSON.stringify(list, exact)) continue
    const trouble = await removeAll(list, { client, headers, ledger, isOwn, key })
    const ownBefore = list.filter(isOwn).length
    list = await read()
    // Where an index means another rule, each further attempt would hit one of others again.
    if (trouble instanceof WrongRuleRemoved) {
      removalUnsafeReason = trouble.message
      break
    }
    if (trouble !== null) troubles.add(trouble.message)
    // A server that only claims to remove rules must not keep the kit here for ever.
    else if (list.filter(isOwn).length >= ownBefore) break
  }
  return { list, left: list.filter(isOwn), troubles: [...troubles], removalUnsafeReason }
}

interface RemoveOptions {
  readonly client: Client
  readonly headers: Readonly<Record<string, string>>
  readonly ledger: Ledger | null
  readonly isOwn: (rule: Rule) => boolean
  readonly key: string
}

/** Removes the kit's rules until the guard stops it, and says why it did; null if it did not. */
async function removeAll(
  list: readonly Rule[],
  { client, headers, ledger, isOwn, key }: RemoveOptions,
): Promise<ConcurrentEdit | null> {
  const watch = createWatch(list, isOwn)
  const plugin = createPlugin(guardClient({ client, headers, ledger, watch, isOwn, ...removalsOnly }), key)
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
