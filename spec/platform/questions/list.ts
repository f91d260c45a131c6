import { questions } from '../../clause.ts'

export const listQuestions = questions('4.1', {
  'platform.list.path': {
    question: 'At which path are trading accounts listed?',
    answers: {
      'trading-accounts': 'GET /v1/trading-accounts',
      'trading-accounts-list': 'GET /v1/trading-accounts/list',
      'accounts': 'GET /v1/accounts',
      'none': 'at none of these paths',
    },
    why: 'The client libraries offer the list, but other clients have to find its path.',
  },
  'platform.list.envelope': {
    question: 'What is the list wrapped in?',
    answers: {
      'data': '`{ data: [ ... ] }`',
      'array': 'nothing: the response is an array',
      'named': '`{ trading_accounts: [ ... ] }`',
      'nested': '`{ data: { trading_accounts: [ ... ] } }`',
    },
    default: 'data',
    why: 'A client that unwraps the wrong field shows no accounts at all.',
  },
  'platform.list.order': {
    question: 'In which order are trading accounts listed?',
    answers: {
      'oldest-first': 'oldest first: the newest account is the last',
      'newest-first': 'newest first: the newest account is the first',
    },
    why: 'A client that looks for a new account looks at one end of the list.',
  },
  'platform.list.fields': {
    clause: '2.2',
    question: 'Which fields does a listed account have?',
    answers: {
      'more': 'the creation fields and further ones, such as an id',
      'creation-fields': 'only the creation fields',
      'known': 'only name, balance and currency',
    },
    why: 'A client that shows leverage or group needs them in the list.',
  },
  'platform.list.limit': {
    question: 'Does the list honour the query parameter limit?',
    answers: {
      'ignored': 'no: the list is complete',
      'honoured': 'yes: the list has at most that many accounts',
    },
    why: 'A client that asks for a few accounts gets thousands, or mistakes a few for all.',
  },
})
