/**
 * Ids that existed once and name nothing any more, with what applies instead. They are never used
 * again, and a profile that holds such a question is still read.
 */
export const retiredIds: Readonly<Record<string, string>> = {
  'plugin.login.fractional': 'plugin.add.wrong-type: it must be rejected',
  'delete.digits-of-any-script': 'plugin.index.other-digits: a server may do so',
  'delete.underscores-between-digits': 'plugin.index.underscore: a server may do so',
  'delete.empty-index-is-405': 'a server may ignore the slash',
  'add.value-negative-within-tolerance': 'add.value-negative-within-1e-12',
  'key.ends-at-number-sign': 'key.ends-at-tilde',
  'file.sorted-by-follower': 'file.ascending-by-follower',
  'file.logins-in-32-bits': 'file.master-in-32-bits',
  'rule.added-mult-listed-as-lot': 'rule.added-fixed-listed-as-lot',
  'error.404-of-post-is-text': 'error.404-of-delete-is-a-page',
  'error.405-of-patch-is-text': 'error.405-of-delete-is-a-page',
  'error.404-of-ten-digits-is-text': 'error.404-of-minus-one-is-text',
  'error.mode-repeated-as-it-is': 'error.repeated-mode-not-escaped',
  'header.key-in-query-as-key': 'header.key-in-query-as-header-name',
  'delete.index-in-16-bits': 'delete.index-in-8-bits',
  'robust.infinity-in-the-list': 'ordinary.overflow-breaks-list',
  'status.license-as-text': 'status.license-as-number',
  'sequence.addition-after-a-404-is-lost': 'sequence.addition-after-a-401-is-lost',
  'header.names-compared-with-case': 'header.x-api-key-compared-with-case',
  'list.cut-at-16-kib': 'list.cut-at-64-kib',
  'add.value-negative-within-0.000001': 'add.value-negative-within-1e-12',
  'add.value-negative-within-1e-9': 'add.value-negative-within-1e-12',
}
