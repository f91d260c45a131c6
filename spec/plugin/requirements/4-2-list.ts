import type { Requirement } from '../../requirement.ts'

export const listRequirements = [
  {
    id: 'plugin.list.ok',
    clause: '4.2',
    level: 'required',
    statement: 'GET /api/rules returns 200 with an array rules and an integer total.',
    consequence: 'A client cannot confirm indices and so cannot delete safely.',
  },
  {
    id: 'plugin.list.total',
    clause: '4.2',
    level: 'required',
    statement:
      'In the list, total equals the number of rules, after every change as well. Without rules, the list is an empty array and total is 0.',
    consequence: 'A client that relies on total misses a rule, reads past the end, or deletes twice.',
  },
  {
    id: 'plugin.list.all-active',
    clause: '4.2',
    level: 'required',
    statement: 'The list contains every active rule exactly once.',
    consequence: 'A rule that trades but is not listed can be neither found nor removed.',
  },
  {
    id: 'plugin.list.mode-normalised',
    clause: '4.2 rule 3',
    level: 'required',
    statement: 'A rule that was added with mode multiplier is listed with mode mult.',
    consequence: 'A client that knows only the two documented modes cannot read the rule.',
  },
  {
    id: 'plugin.list.reading-changes-nothing',
    clause: '4.2',
    level: 'expected',
    statement: 'Repeated reads of the status and the list change nothing.',
    consequence: 'Inspecting a live server alters what it trades.',
  },
] as const satisfies readonly Requirement[]
