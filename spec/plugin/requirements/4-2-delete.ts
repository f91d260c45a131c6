import type { Requirement } from '../../requirement.ts'

export const deleteRequirements = [
  {
    id: 'plugin.delete.ok',
    clause: '4.2',
    level: 'required',
    statement: 'DELETE /api/rules/{index} of an existing rule returns 200 with a boolean success.',
    consequence: 'A client assumes that the rule still trades and deletes again, which removes the next rule.',
  },
  {
    id: 'plugin.delete.keeps-order',
    clause: '4.2 rule 2',
    level: 'required',
    statement:
      'DELETE removes the rule at the index and lowers the index of every later rule by one; everything else stays as it was.',
    consequence: "Another trader's rule disappears, and indices that a client has computed point to other rules.",
  },
  {
    id: 'plugin.delete.index-past-end',
    clause: '4.2 rule 4',
    level: 'required',
    statement:
      'DELETE with an integer that is not the index of a rule returns 404 and removes nothing: past the end, negative, just removed, in an empty list, or valid only after an overflow.',
    consequence: 'A late DELETE removes a rule that belongs to another trader.',
  },
  {
    id: 'plugin.delete.index-not-a-number',
    clause: '4.2 rule 4',
    level: 'required',
    statement:
      'DELETE with an index that is not an integer (abc, 1abc, 1.0) returns 404, with an empty one 404, 405 or a redirect, and removes nothing.',
    consequence: 'Text that is parsed as 0, or part of a damaged path, removes a rule.',
  },
  {
    id: 'plugin.delete.index-spelling',
    clause: '4.2',
    level: 'required',
    statement:
      'DELETE with an integer index in another spelling (01, +1, 0_1) removes the rule at that index, or nothing.',
    consequence: 'The number that a client wrote is read as another one, and another rule is removed.',
  },
] as const satisfies readonly Requirement[]
