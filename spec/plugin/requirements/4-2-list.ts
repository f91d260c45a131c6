import { expected, required, requirements } from '../../clause.ts'

export const listRequirements = requirements('4.2', {
  'plugin.list.ok': required(
    'GET /api/rules returns 200 with an array rules and an integer total.',
    'A client cannot confirm indices and so cannot delete safely.',
  ),
  'plugin.list.total': required(
    'In the list, total equals the number of rules, after every change as well. Without rules, the list is an empty array and total is 0.',
    'A client that relies on total misses a rule, reads past the end, or deletes twice.',
  ),
  'plugin.list.all-active': required(
    'The list contains every active rule exactly once.',
    'A rule that trades but is not listed can be neither found nor removed.',
  ),
  'plugin.list.mode-normalised': required(
    'A rule that was added with mode multiplier is listed with mode mult.',
    'A client that knows only the two documented modes cannot read the rule.',
    '4.2 rule 3',
  ),
  'plugin.list.reading-changes-nothing': expected(
    'Repeated reads of the status and the list change nothing.',
    'Inspecting a live server alters what it trades.',
  ),
})
