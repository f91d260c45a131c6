import type { Question } from '../../question.ts'

export const accountQuestions = [
  {
    id: 'platform.account.status-value',
    clause: '2.1',
    question: 'Which status has the account?',
    answers: {
      'active': 'active',
      'other': 'another word',
    },
    default: 'active',
    why: 'A client that only knows active takes a suspended brokerage for a broken one.',
  },
  {
    id: 'platform.account.created-at-precision',
    clause: '2.1',
    question: 'How precise is created_at?',
    answers: {
      'seconds': 'whole seconds',
      'milliseconds': 'three digits of a second',
      'microseconds': 'six digits of a second',
    },
    default: 'seconds',
    why: 'Parsers of dates differ in the digits that they take.',
  },
  {
    id: 'platform.account.created-at-zone',
    clause: '2.1',
    question: 'How does created_at say that it is UTC?',
    answers: {
      'z': 'with the letter Z',
      'offset': 'with the offset +00:00',
    },
    default: 'z',
    why: 'Parsers of dates differ in the spellings that they take.',
  },
  {
    id: 'platform.account.further-members',
    clause: '2.1',
    question: 'Has the account members that the specification does not list?',
    answers: {
      'none': 'it has the four that are listed',
      'more': 'it has further ones',
    },
    default: 'none',
    why: 'A client that refuses unknown members cannot read the account.',
  },
  {
    id: 'platform.account.content-type-absent',
    clause: '4.1',
    question: 'How is GET /v1/account answered without the header Content-Type?',
    answers: {
      'accepted': 'with the account',
      '400': 'with 400',
      '415': 'with 415',
    },
    default: 'accepted',
    why: 'Most HTTP clients send no Content-Type where there is no body.',
  },
] as const satisfies readonly Question[]
