import type { Level, Requirement } from '../spec/requirement.ts'

const rows: readonly (readonly [id: string, clause: string, level: Level, statement: string, consequence: string])[] = [
  [
    'plugin.auth.missing-key',
    '5',
    'required',
    'A request without a key is answered with 401.',
    'Anybody who reaches the port can rewrite the copy rules.',
  ],
  [
    'plugin.auth.wrong-key',
    '5',
    'required',
    'A request with a wrong key is answered with 401.',
    'Anybody who reaches the port can rewrite the copy rules.',
  ],
  [
    'plugin.status.fields',
    '2.4',
    'required',
    'The status names plugin, version, licence, rules loaded and port.',
    'A dashboard shows nothing, or shows the wrong plugin.',
  ],
  [
    'plugin.delete.keeps-order',
    '4.2 rule 2',
    'required',
    'After a DELETE, the indices of the remaining rules shift and their order stays.',
    'A client deletes the rule of another account, whose trades are then no longer copied.',
  ],
  [
    'plugin.add.index',
    '4.2 rule 1',
    'required',
    'The index returned by POST is the index of the new rule in the list.',
    'A client deletes a rule other than the one it added.',
  ],
  [
    'plugin.delete.invalid-index',
    '4.2 rule 4',
    'required',
    'A DELETE with an invalid index is answered with 404 and removes nothing.',
    'A stale index removes a rule that nobody meant.',
  ],
  [
    'plugin.rules.mode-names',
    '4.2 rule 3',
    'expected',
    'GET /api/rules reports the mode as mult or fixed.',
    'A client that knows two modes meets a third.',
  ],
  [
    'plugin.error.object',
    '7',
    'required',
    'Every error is a JSON object with the member error, a string.',
    'Client libraries fail while they report the failure.',
  ],
  [
    'plugin.file.wins',
    '4.3 rule 2',
    'required',
    'At start-up the rules file wins over the parameters.',
    'A restart brings back rules that were deleted.',
  ],
  [
    'plugin.capacity.500',
    '8',
    'required',
    'Adding a rule to a full list is answered with 500.',
    'A client believes that trades are copied, and they are not.',
  ],
  [
    'plugin.body.truncated',
    '7',
    'robustness',
    'A body that ends early is answered with 400.',
    'A dropped connection leaves a rule with half of its values.',
  ],
  [
    'plugin.header.many',
    '8',
    'robustness',
    'A request with a hundred headers does not stop the server.',
    'One odd client silences the plugin for all.',
  ],
]

/** Twelve requirements of all levels, not in the order of their clauses. */
export const requirements: readonly Requirement[] = rows.map(([id, clause, level, statement, consequence]) => ({
  id,
  clause,
  level,
  statement,
  consequence,
}))
