import { ErrorResponse } from '../../server/response.ts'
import { type Rule, sameContent, samePair } from '../model/rule.ts'
import { addAtEnd, addAtStart, holds, isFull, type RuleList, removeAt } from '../model/rule-list.ts'
import type { Profile } from '../profile/profile.ts'
import type { Wording } from '../profile/wording.ts'

/** How the list changes (clause 4.2, 8). */
export function rulesHooks(profile: Profile, { errorTexts }: Wording) {
  const refusesDuplicates = profile['plugin.add.duplicate'] === 'refused'
  const refusesSamePair = profile['plugin.add.same-pair'] === 'refused'
  return {
    /** Why a valid rule cannot be added to these rules; undefined if it can. */
    judgeRule: (rule: Rule, rules: RuleList): ErrorResponse | undefined => {
      if (rule.master === rule.follower && profile['plugin.add.self-copy'] === 'refused') {
        return new ErrorResponse(400, errorTexts['self-copy'])
      }
      if (!refusesDuplicates && !refusesSamePair) return undefined
      const samePairRules = rules.filter((known) => samePair(known, rule))
      const duplicates = samePairRules.filter((known) => sameContent(known, rule))
      if (duplicates.length > 0 && refusesDuplicates) return new ErrorResponse(400, errorTexts['duplicate-rule'])
      return samePairRules.length > duplicates.length && refusesSamePair
        ? new ErrorResponse(400, errorTexts['same-pair'])
        : undefined
    },
    isFull,
    /** Whether a full list is reported before the body is validated. */
    judgesCapacityFirst: profile['plugin.capacity.before-validation'] === '500',
    capacityReached: (): ErrorResponse => new ErrorResponse(500, errorTexts['capacity-reached']),
    addRule: profile['plugin.add.position'] === 'end' ? addAtEnd : addAtStart,
    holdsPosition: holds,
    removeRule: removeAt,
  }
}
