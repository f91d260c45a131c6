import { required, requirements } from '../../clause.ts'

export const deleteRequirements = requirements('4.2', {
  'plugin.delete.ok': required(
    'DELETE /api/rules/{index} of an existing rule returns 200 with a boolean success.',
    'A client assumes that the rule still trades and deletes again, which removes the next rule.',
  ),
  'plugin.delete.keeps-order': required(
    'DELETE removes the rule at the index and lowers the index of every later rule by one; everything else stays as it was.',
    "Another trader's rule disappears, and indices that a client has computed point to other rules.",
    '4.2 rule 2',
  ),
  'plugin.delete.index-past-end': required(
    'DELETE with an integer that is not the index of a rule returns 404 and removes nothing: past the end, negative, just removed, in an empty list, or valid only after an overflow.',
    'A late DELETE removes a rule that belongs to another trader.',
    '4.2 rule 4',
  ),
  'plugin.delete.index-not-a-number': required(
    'DELETE with an index that is not an integer (abc, 1abc, 1.0) returns 404, with an empty one 404, 405 or a redirect, and removes nothing.',
    'Text that is parsed as 0, or part of a damaged path, removes a rule.',
    '4.2 rule 4',
  ),
  'plugin.delete.index-spelling': required(
    'DELETE with an integer index in another spelling (01, +1, 0_1) removes the rule at that index, or nothing.',
    'The number that a client wrote is read as another one, and another rule is removed.',
  ),
})
