import { questions, returns } from '../../clause.ts'

export const accountQuestions = questions('2.1', {
  'platform.account.status-value': {
    question: 'What is the status of the account?',
    answers: { 'active': 'active', 'other': 'another value' },
    why: 'A client that knows only active mistakes a suspended brokerage for a broken one.',
  },
  'platform.account.created-at-precision': {
    question: 'How precise is created_at?',
    answers: {
      'seconds': 'to the second',
      'milliseconds': 'to the millisecond',
      'microseconds': 'to the microsecond',
    },
    why: 'Date parsers differ in how many fractional digits they accept.',
  },
  'platform.account.created-at-zone': {
    question: 'How does created_at mark UTC?',
    answers: { 'z': 'with the letter Z', 'offset': 'with the offset +00:00' },
    default: 'z',
    why: 'Date parsers differ in the spellings that they accept.',
  },
  'platform.account.further-members': {
    question: 'Does the account have undocumented fields?',
    answers: { 'none': 'no: only the four documented ones', 'more': 'yes' },
    why: 'A client that rejects unknown fields cannot read the account.',
  },
  'platform.account.content-type-absent': {
    clause: '4.1',
    question: 'How is GET /v1/account without a Content-Type header handled?',
    answers: { 'accepted': 'it returns the account', ...returns('it', '400', '415') },
    default: 'accepted',
    why: 'Most HTTP clients send no Content-Type without a body.',
  },
})
