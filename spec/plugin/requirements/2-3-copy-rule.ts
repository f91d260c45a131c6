import { expected, required, requirements } from '../../clause.ts'

export const copyRuleRequirements = requirements('2.3', {
  'plugin.rule.fields': required(
    'Every listed rule has an integer index, master and follower, mode mult or fixed, a value greater than 0, and direction same or reverse.',
    'A client cannot tell who copies whom, at what size, or in which direction.',
  ),
  'plugin.rule.index-is-position': required(
    'The index of a rule is its position in the list, without gaps.',
    "A DELETE by that index removes another trader's rule.",
  ),
  'plugin.rule.as-sent': required(
    'A rule is listed with the master, follower, mode and direction that were sent, and its value to at least six significant digits.',
    'A follower copies the wrong account, at the wrong size or in the wrong direction.',
  ),
  'plugin.rule.value-double-precision': expected(
    'A rule is listed with its value in double precision.',
    'A client that compares the sent value with the listed one sees a difference and acts on it.',
  ),
  'plugin.rule.exists-until-removed': required(
    'A rule stays in the list, unchanged, until it is removed, and does not reappear, regardless of changes to other rules.',
    'A follower silently stops copying, or keeps trading after copying has ended.',
    '3',
  ),
})
