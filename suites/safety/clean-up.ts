import { type Draft, type Rule, sameContent } from '../model/rule.ts'
import type { Plugin } from '../session/plugin.ts'
import type { Rules } from '../session/rules.ts'

export interface CleanUpOptions {
  readonly rules: Rules
  readonly plugin: Plugin
  /** Whether a rule is one that the kit wrote. */
  readonly isOwn: (rule: Rule) => boolean
  /** Rules of the kit that are to stay for the next check. */
  readonly keep: readonly Draft[]
}

/** Whether a rule of the list is one that the kit added and is to take away. */
export function isLeftBehind(rule: Rule, { isOwn, keep }: Omit<CleanUpOptions, 'rules' | 'plugin'>): boolean {
  return isOwn(rule) && !keep.some((known) => sameContent(known, rule))
}

/**
 * Takes away the rules that the kit added, the last one first. The list is read again right before
 * each removal, and whatever else stands in it is left alone. Returns the list as it is then; the
 * caller compares.
 */
export async function cleanUp({ rules, plugin, ...options }: CleanUpOptions): Promise<readonly Rule[]> {
  let list = await rules.read()
  for (;;) {
    const own = list.findLast((rule) => isLeftBehind(rule, options))
    if (own === undefined) return list
    await plugin.remove(own.index)
    const next = await rules.read()
    // A server that only claims to remove rules must not keep the kit here for ever.
    if (next.length >= list.length) return next
    list = next
  }
}
