import { type Rule, sameContent, samePair } from '../../model/rule.ts'
import { type Addition, addAtEnd, addAtStart, holds, isFull, type RuleList, removeAt } from '../../model/rule-list.ts'
import type { Profile } from '../../profile/profile.ts'
import { Refusal } from '../../server/refusal.ts'

/** What happens to the list (clause 4.2, 8). */
export interface RulesSeams {
  /** Whether a valid rule may join these rules. */
  readonly judgeRule: (rule: Rule, rules: RuleList) => Refusal | undefined
  readonly isFull: (rules: RuleList, capacity: number) => boolean
  /** Whether a full list is reported before the body is judged. */
  readonly judgesCapacityFirst: boolean
  readonly capacityReached: () => Refusal
  readonly addRule: (rules: RuleList, rule: Rule) => Addition
  readonly holdsPosition: (rules: RuleList, position: number) => boolean
  readonly removeRule: (rules: RuleList, position: number) => RuleList
}

export function rulesSeams(profile: Profile): RulesSeams {
  return {
    judgeRule: (rule, rules) => judgeRule(profile, rule, rules),
    isFull,
    judgesCapacityFirst: profile['plugin.capacity.before-validation'] === '500',
    capacityReached: () => new Refusal(500, 'The capacity is reached: no rule can be added.'),
    addRule: profile['plugin.add.position'] === 'end' ? addAtEnd : addAtStart,
    holdsPosition: holds,
    removeRule: removeAt,
  }
}

function judgeRule(profile: Profile, rule: Rule, rules: RuleList): Refusal | undefined {
  if (rule.master === rule.follower && profile['plugin.add.self-copy'] === 'refused') {
    return new Refusal(400, 'follower must differ from master.')
  }
  const ofSamePair = rules.filter((known) => samePair(known, rule))
  const duplicates = ofSamePair.filter((known) => sameContent(known, rule))
  if (duplicates.length > 0 && profile['plugin.add.duplicate'] === 'refused') {
    return new Refusal(400, 'follower already has a rule with exactly this content.')
  }
  if (ofSamePair.length > duplicates.length && profile['plugin.add.same-pair'] === 'refused') {
    return new Refusal(400, 'follower already has a rule with this master.')
  }
  return undefined
}
