import type { Requirement } from '../../requirement.ts'

export const listRequirements = [
  {
    id: 'plugin.list.ok',
    clause: '4.2',
    level: 'required',
    statement: 'GET /api/rules is answered with 200 and an object with an array rules and an integer total.',
    consequence: 'A client cannot confirm indices and therefore cannot delete safely.',
  },
  {
    id: 'plugin.list.total',
    clause: '4.2',
    level: 'required',
    statement: 'total is the number of rules in the list.',
    consequence: 'A client that trusts total overlooks a rule or reads past the end.',
  },
  {
    id: 'plugin.list.total-follows',
    clause: '4.2',
    level: 'required',
    statement: 'total is right after each rule that is added or removed.',
    consequence: 'A client that waits for its change to show waits for ever, or deletes twice.',
  },
  {
    id: 'plugin.list.all-active',
    clause: '4.2',
    level: 'required',
    statement: 'The list contains every rule that was added, each exactly once.',
    consequence: 'A rule that trades but is not listed cannot be found and not be removed.',
  },
  {
    id: 'plugin.list.empty',
    clause: '4.2',
    level: 'required',
    statement: 'With no rule, the list is an empty array and total is 0.',
    consequence: 'A client breaks on the first day, before any rule exists.',
  },
  {
    id: 'plugin.list.mode-normalised',
    clause: '4.2 rule 3',
    level: 'required',
    statement: 'A rule that was added with the mode multiplier is listed with the mode mult.',
    consequence: 'A client that knows the two documented modes cannot read the rule.',
  },
  {
    id: 'plugin.list.reading-changes-nothing',
    clause: '4.2',
    level: 'expected',
    statement: 'Reading the status and the list, again and again, changes nothing.',
    consequence: 'Looking at a live server alters what it trades.',
  },
] as const satisfies readonly Requirement[]
