import { ErrorResponse } from '../../server/error-response.ts'
import { type Rule, sameContent, samePair } from '../model/rule.ts'
import { addAtEnd, addAtStart, holds, isFull, type RuleList, removeAt } from '../model/rule-list.ts'
import type { Profile } from '../profile/profile.ts'
import type { ErrorTexts, Wording } from '../profile/wording.ts'

/** How the list changes (clause 4.2, 8). */
export function rulesHooks(profile: Profile, { errorTexts }: Wording) {
  return {
    /** Why a valid rule cannot be added to these rules; undefined if it can. */
    judgeRule: (rule: Rule, rules: RuleList): ErrorResponse | undefined =>
      judgeRule({ profile, errorTexts, rule, rules }),
    isFull,
    /** Whether a full list is reported before the body is validated. */
    judgesCapacityFirst: profile['plugin.capacity.before-validation'] === '500',
    capacityReached: (): ErrorResponse => new ErrorResponse(500, errorTexts['capacity-reached']),
    addRule: profile['plugin.add.position'] === 'end' ? addAtEnd : addAtStart,
    holdsPosition: holds,
    removeRule: removeAt,
  }
}

interface Candidate {
  readonly profile: Profile
  readonly errorTexts: ErrorTexts
  readonly rule: Rule
  readonly rules: RuleList
}

function judgeRule({ profile, errorTexts, rule, rules }: Candidate): ErrorResponse | undefined {
  if (rule.master === rule.follower && profile['plugin.add.self-copy'] === 'refused') {
    return new ErrorResponse(400, errorTexts['self-copy'])
  }
  if (profile['plugin.add.duplicate'] !== 'refused' && profile['plugin.add.same-pair'] !== 'refused') return undefined
  const samePairRules = rules.filter((known) => samePair(known, rule))
  const duplicates = samePairRules.filter((known) => sameContent(known, rule))
  if (duplicates.length > 0 && profile['plugin.add.duplicate'] === 'refused') {
    return new ErrorResponse(400, errorTexts['duplicate-rule'])
  }
  if (samePairRules.length > duplicates.length && profile['plugin.add.same-pair'] === 'refused') {
    return new ErrorResponse(400, errorTexts['same-pair'])
  }
  return undefined
}
