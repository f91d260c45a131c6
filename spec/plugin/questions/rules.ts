import { questions } from '../../clause.ts'

export const ruleQuestions = questions('2.3', {
  'plugin.index.base': {
    question: 'Are rule indices zero-based or one-based?',
    answers: { '0': 'zero-based: the first rule has index 0', '1': 'one-based: the first rule has index 1' },
    default: '0',
    why: 'A client that assumes the other base deletes the neighbouring rule.',
  },
  'plugin.add.position': {
    clause: '4.2 rule 1',
    question: 'Is a new rule added at the end or at the start of the list?',
    answers: { end: 'at the end', start: 'at the start, which shifts all other rules' },
    why: 'A new rule at the start invalidates every index that a client remembers.',
  },
  'plugin.add.duplicate': {
    clause: '4.2',
    question: 'Is a second rule with identical content accepted?',
    answers: { accepted: 'yes: it is added', refused: 'no: POST returns 400' },
    why: 'A POST that is retried after a timeout doubles every trade of the follower.',
  },
  'plugin.add.same-pair': {
    clause: '4.2',
    question: 'Is a second rule for the same master and follower with another value accepted?',
    answers: { accepted: 'yes: it is added', refused: 'no: POST returns 400' },
    why: 'Two rules for one pair copy every trade twice.',
  },
  'plugin.add.self-copy': {
    clause: '4.2',
    question: 'Is a rule whose master equals its follower accepted?',
    answers: { accepted: 'yes: it is added', refused: 'no: POST returns 400' },
    why: 'An account that copies itself may trade endlessly.',
  },
  'plugin.login.zero': {
    question: 'Is the login 0 accepted?',
    answers: { accepted: 'yes: the rule is added', refused: 'no: POST returns 400' },
    default: 'refused',
    why: 'Zero often means "no account" in a trading platform.',
  },
  'plugin.login.negative': {
    question: 'Is a negative login accepted?',
    answers: { accepted: 'yes: the rule is added', refused: 'no: POST returns 400' },
    default: 'refused',
    why: 'A negative number that is stored as an unsigned one becomes another account.',
  },
  'plugin.login.above-31-bits': {
    question: 'Is a login above 2^31 (3000000005) accepted?',
    answers: { exact: 'yes: it is stored exactly', refused: 'no: POST returns 400' },
    why: 'A broker whose logins exceed 32 bits cannot use the plugin.',
  },
  'plugin.login.above-53-bits': {
    question: 'Is a login above 2^53 (9007199254740993) accepted?',
    answers: { exact: 'yes: it is stored exactly', refused: 'no: POST returns 400' },
    why: 'JSON parsers that know only doubles turn it into a neighbouring number.',
  },
  'plugin.login.above-64-bits': {
    question: 'Is a login above 2^64 (18446744073709551621) accepted?',
    answers: { refused: 'no: POST returns 400', exact: 'yes: it is stored exactly' },
    why: 'The trading platform cannot hold such a login, so a rule for it never copies a trade.',
  },
  'plugin.login.zero-fraction': {
    question: 'Is a login with a zero fraction (900000000.0) accepted?',
    answers: { accepted: 'yes: the rule is added', refused: 'no: POST returns 400' },
    why: 'Languages with a single number type may print integers this way.',
  },
  'plugin.login.exponent': {
    question: 'Is a login in exponent notation (3005e2) accepted?',
    answers: { accepted: 'yes: the rule is added', refused: 'no: POST returns 400' },
    why: 'Some languages print round numbers this way.',
  },
  'plugin.value.smallest': {
    question: 'Is a very small value (1e-9) accepted?',
    answers: { kept: 'yes: it is stored', refused: 'no: POST returns 400' },
    why: 'A multiplier this small copies nothing that a market would accept.',
  },
  'plugin.value.largest': {
    question: 'Is a very large value (1e12) accepted?',
    answers: { kept: 'yes: it is stored', refused: 'no: POST returns 400' },
    why: 'A typing error multiplies a position without limit.',
  },
  'plugin.value.overflow': {
    question: 'How is a value that is too large for a double (1e400) handled?',
    answers: { refused: 'POST returns 400', accepted: 'the rule is added with some other value' },
    why: 'Infinity in a list makes its JSON unreadable for every client.',
  },
  'plugin.capacity.before-validation': {
    clause: '8',
    question: 'Is an invalid rule for a full list rejected for its body or for the capacity?',
    answers: { '400': 'for its body, with 400', '500': 'for the capacity, with 500' },
    default: '400',
    why: 'A client corrects its request after a 400, but waits after a 500.',
  },
})
