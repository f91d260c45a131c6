import { type Draft, type Rule, sameContent } from '../model/rule.ts'
import type { Plugin } from '../session/plugin.ts'
import type { Rules } from '../session/rules.ts'
import { safestRemoval } from './safest-removal.ts'

export interface CleanUpOptions {
  readonly rules: Rules
  readonly plugin: Plugin
  /** Whether a rule is one that the kit wrote. */
  readonly isOwn: (rule: Rule) => boolean
  /** Rules of the kit that stay for the next check. */
  readonly keep: readonly Draft[]
}

/** Whether the kit added this rule and must remove it. */
export function isLeftBehind(rule: Rule, { isOwn, keep }: Omit<CleanUpOptions, 'rules' | 'plugin'>): boolean {
  return isOwn(rule) && !keep.some((known) => sameContent(known, rule))
}

/**
 * Removes the rules that the kit added. The list is read again before each
 * removal, and other rules are left alone. Returns the resulting list.
 */
export async function cleanUp({ rules, plugin, ...options }: CleanUpOptions): Promise<readonly Rule[]> {
  let list = await rules.read()
  for (;;) {
    const own = safestRemoval(list, (rule) => isLeftBehind(rule, options))
    if (own === undefined) return list
    await plugin.remove(own.index)
    const next = await rules.read()
    // A server that removes nothing must not cause an endless loop.
    if (next.length >= list.length) return next
    list = next
  }
}
