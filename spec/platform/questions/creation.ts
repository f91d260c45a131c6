import { questions, returns } from '../../clause.ts'

/** How a creation that does not say that its body is JSON is handled. */
const typeAnswers = { 'accepted': 'the account is created', ...returns('it', '400', '415') } as const

export const creationQuestions = questions('4.1', {
  'platform.create.status': {
    question: 'Which status does a creation return?',
    answers: { '201': '201', '200': '200', '202': '202: the account is created, or will be' },
    default: '201',
    why: 'A client that expects one of them takes another for a failure and creates a second account.',
  },
  'platform.create.body': {
    question: 'What is the body of the response to a creation?',
    answers: {
      'data': '`{ data: <trading account> }`',
      'bare': 'the trading account itself',
      'empty': 'empty',
    },
    why: 'A client that looks for the id of the new account does not find it.',
  },
  'platform.create.location': {
    question: 'Does the response to a creation have a Location header?',
    answers: { 'absent': 'no', 'sent': 'yes' },
    why: 'A client that follows it finds the new account.',
  },
  'platform.create.same-twice': {
    question: 'How is a second creation with identical content handled?',
    answers: {
      'accepted': 'it creates a second account',
      'once': 'it succeeds, and there is still one account',
      ...returns('it', '409', '400', '422'),
    },
    default: 'accepted',
    why: 'A POST that is retried after a timeout opens a second account with a balance.',
  },
  'platform.create.unknown-member': {
    question: 'How is an undocumented field in a creation handled?',
    answers: {
      'ignored': 'it is ignored and the account is created',
      ...returns('the creation', '400', '422'),
    },
    default: 'ignored',
    why: 'A client written for a later version sends fields that this server does not know.',
  },
  'platform.create.content-type-absent': {
    question: 'How is a creation without Content-Type handled?',
    answers: typeAnswers,
    default: 'accepted',
    why: 'Small HTTP clients send no Content-Type by default.',
  },
  'platform.create.content-type-wrong': {
    question: 'How is a creation with another Content-Type (`text/plain`) handled?',
    answers: typeAnswers,
    default: '415',
    why: 'A browser can send text/plain across origins without a preflight request.',
  },
  'platform.create.size-limit': {
    clause: '8',
    question: 'How is a valid body padded with whitespace to 2 MiB handled?',
    answers: {
      ...returns('the request', '413', '400'),
      'accepted': 'the account is created',
      'closed': 'the connection is closed without a response',
    },
    default: '413',
    why: 'A server without a limit can be made to run out of memory.',
  },
  'platform.errors.invalid-json': {
    clause: '7',
    question: 'Which status does a creation with invalid JSON return?',
    answers: { '400': '400', '422': '422' },
    default: '400',
    why: 'The status tells a client whether its code or its data is wrong.',
  },
  'platform.errors.not-an-object': {
    clause: '7',
    question: 'Which status does a creation with JSON that is not an object return?',
    answers: { '400': '400', '422': '422' },
    default: '400',
    why: 'The status tells a client whether its code or its data is wrong.',
  },
})
