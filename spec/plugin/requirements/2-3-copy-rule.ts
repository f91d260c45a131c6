import type { Requirement } from '../../requirement.ts'

export const copyRuleRequirements = [
  {
    id: 'plugin.rule.fields',
    clause: '2.3',
    level: 'required',
    statement:
      'Every listed rule has an integer index, master and follower, mode mult or fixed, a value greater than 0, and direction same or reverse.',
    consequence: 'A client cannot tell who copies whom, at what size, or in which direction.',
  },
  {
    id: 'plugin.rule.index-is-position',
    clause: '2.3',
    level: 'required',
    statement: 'The index of a rule is its position in the list, without gaps.',
    consequence: "A DELETE by that index removes another trader's rule.",
  },
  {
    id: 'plugin.rule.as-sent',
    clause: '2.3',
    level: 'required',
    statement:
      'A rule is listed with the master, follower, mode and direction that were sent, and its value to at least six significant digits.',
    consequence: 'A follower copies the wrong account, at the wrong size or in the wrong direction.',
  },
  {
    id: 'plugin.rule.value-double-precision',
    clause: '2.3',
    level: 'expected',
    statement: 'A rule is listed with its value in double precision.',
    consequence: 'A client that compares the sent value with the listed one sees a difference and acts on it.',
  },
  {
    id: 'plugin.rule.exists-until-removed',
    clause: '3',
    level: 'required',
    statement:
      'A rule stays in the list, unchanged, until it is removed, and does not reappear, regardless of changes to other rules.',
    consequence: 'A follower silently stops copying, or keeps trading after copying has ended.',
  },
] as const satisfies readonly Requirement[]
