/**
 * Ids that existed once and name nothing any more, with what applies instead. They are never used
 * again, and a profile that holds such a question is still read.
 */
export const retiredIds: Readonly<Record<string, string>> = {
  'plugin.login.fractional': 'plugin.add.wrong-type: it must be rejected',
  'delete.digits-of-any-script': 'plugin.index.other-digits: a server may do so',
  'delete.underscores-between-digits': 'plugin.index.underscore: a server may do so',
  'delete.empty-index-is-405': 'a server may ignore the slash',
  'add.value-negative-within-tolerance': 'add.value-negative-within-0.000001',
  'key.ends-at-number-sign': 'key.ends-at-tilde',
}
