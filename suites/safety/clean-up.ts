import type { LoginRange } from '../session/logins.ts'
import { isWithin } from '../session/logins.ts'
import type { Plugin } from '../session/plugin.ts'
import type { Rules } from '../session/rules.ts'
import { type Draft, type Rule, sameContent } from '../vocabulary/rule.ts'

export interface CleanUpOptions {
  readonly rules: Rules
  readonly plugin: Plugin
  /** The list as it was found. */
  readonly before: readonly Rule[]
  readonly logins: LoginRange
  /** Rules of the kit that are to stay for the next check. */
  readonly keep: readonly Draft[]
}

/** Whether a rule of the list is one that the kit added and is to take away. */
export function isLeftBehind(rule: Rule, { before, logins, keep }: Omit<CleanUpOptions, 'rules' | 'plugin'>): boolean {
  return isWithin(logins, rule) && ![...before, ...keep].some((known) => sameContent(known, rule))
}

/**
 * Takes away the rules that the kit added, the last one first. A rule counts as the kit's own only
 * if one of its logins lies in the range of the kit and it was not there before. The list is read
 * again right before each removal, and whatever else stands in it is left alone. Returns the list
 * as it is then; the caller compares.
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
