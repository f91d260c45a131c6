import type { Rule } from '../model/rule.ts'

/**
 * The rule of the kit to remove first; undefined if there is none. Another client may move the indices by one
 * before the DELETE arrives: by removing a rule, or by adding one where new rules are inserted at the start. So
 * the rule that is hit then should be one of the kit too.
 */
export function safestRemoval(list: readonly Rule[], isOwn: (rule: Rule) => boolean): Rule | undefined {
  const own = list.map(isOwn)
  const at = own[0]
    ? own.findLastIndex((_, place) => own[place] && own[place - 1])
    : own.findIndex((_, place) => own[place] && own[place + 1])
  return list[at] ?? list.findLast(isOwn)
}
