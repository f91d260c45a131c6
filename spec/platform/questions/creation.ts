import { questions, returns } from '../../clause.ts'
import { additionQuestions, errorStatus } from '../../json-api.ts'

const addition = additionQuestions('the account is created')

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
  'platform.create.content-type-absent': { ...addition.withoutType, default: 'accepted' },
  'platform.create.content-type-wrong': { ...addition.otherType, default: '415' },
  'platform.create.size-limit': { ...addition.sizeLimit, default: '413' },
  'platform.errors.invalid-json': {
    ...errorStatus('a creation with invalid JSON', '400', '422'),
    why: 'The status tells a client whether its code or its data is wrong.',
  },
  'platform.errors.not-an-object': {
    ...errorStatus('a creation with JSON that is not an object', '400', '422'),
    why: 'The status tells a client whether its code or its data is wrong.',
  },
})
