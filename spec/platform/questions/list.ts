import type { Question } from '../../question.ts'

export const listQuestions = [
  {
    id: 'platform.list.path',
    clause: '4.1',
    question: 'Where is the list of trading accounts?',
    answers: {
      'trading-accounts': 'GET /v1/trading-accounts',
      'trading-accounts-list': 'GET /v1/trading-accounts/list',
      'accounts': 'GET /v1/accounts',
      'none': 'at none of these paths',
    },
    default: 'trading-accounts',
    why: 'The client libraries offer the list; a client of its own has to find it.',
  },
  {
    id: 'platform.list.envelope',
    clause: '4.1',
    question: 'What is the list wrapped in?',
    answers: {
      'data': '`{ data: [ ... ] }`',
      'array': 'nothing: the answer is an array',
      'named': '`{ trading_accounts: [ ... ] }`',
      'nested': '`{ data: { trading_accounts: [ ... ] } }`',
    },
    default: 'data',
    why: 'A client that unwraps the wrong thing shows no accounts at all.',
  },
  {
    id: 'platform.list.order',
    clause: '4.1',
    question: 'In which order is the list?',
    answers: {
      'oldest-first': 'the latest account is the last',
      'newest-first': 'the latest account is the first',
    },
    default: 'oldest-first',
    why: 'A client that looks for the account it has just created looks at one end.',
  },
  {
    id: 'platform.list.fields',
    clause: '2.2',
    question: 'Which fields has an account in the list?',
    answers: {
      'more': 'the creation fields and further ones, such as an identifier',
      'creation-fields': 'the creation fields',
      'known': 'name, balance and currency',
    },
    default: 'more',
    why: 'A client that wants to show leverage or group needs them there.',
  },
  {
    id: 'platform.list.limit',
    clause: '4.1',
    question: 'Is a query parameter limit honoured by the list?',
    answers: {
      'ignored': 'the list is whole',
      'honoured': 'the list has no more accounts than that',
    },
    default: 'ignored',
    why: 'A client that asks for few accounts gets thousands, or thinks that few are all.',
  },
] as const satisfies readonly Question[]
