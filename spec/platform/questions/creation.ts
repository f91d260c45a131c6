import type { Question } from '../../question.ts'

export const creationQuestions = [
  {
    id: 'platform.create.status',
    clause: '4.1',
    question: 'Which status has the answer to a creation?',
    answers: {
      '201': '201',
      '200': '200',
      '202': '202: the account is created, or will be',
    },
    default: '201',
    why: 'A client that waits for one of them takes the other for a failure and creates another account.',
  },
  {
    id: 'platform.create.body',
    clause: '4.1',
    question: 'What is the body of the answer to a creation?',
    answers: {
      'data': '`{ data: <trading account> }`',
      'bare': 'the trading account itself',
      'empty': 'there is none',
    },
    default: 'data',
    why: 'A client that looks for the identifier of the new account finds nothing.',
  },
  {
    id: 'platform.create.location',
    clause: '4.1',
    question: 'Does the answer to a creation carry a Location header?',
    answers: {
      'absent': 'no',
      'sent': 'yes',
    },
    default: 'absent',
    why: 'A client that follows it learns the address of the new account.',
  },
  {
    id: 'platform.create.same-twice',
    clause: '4.1',
    question: 'How is a second creation with the same content answered?',
    answers: {
      'accepted': 'there is a second account',
      'once': 'with success, and there is still one account',
      '409': 'it is refused with 409',
      '400': 'it is refused with 400',
      '422': 'it is refused with 422',
    },
    default: 'accepted',
    why: 'A POST that is sent again after a time-out opens a second account with a balance.',
  },
  {
    id: 'platform.create.unknown-member',
    clause: '4.1',
    question: 'How is a member treated that the specification does not list?',
    answers: {
      'ignored': 'it is ignored and the account is created',
      '400': 'the creation is refused with 400',
      '422': 'the creation is refused with 422',
    },
    default: 'ignored',
    why: 'A client written for a later version sends more than this server knows.',
  },
  {
    id: 'platform.create.content-type-absent',
    clause: '4.1',
    question: 'How is a creation without Content-Type answered?',
    answers: {
      'accepted': 'the account is created',
      '400': 'with 400',
      '415': 'with 415',
    },
    default: 'accepted',
    why: 'Small HTTP clients send no Content-Type unless told to.',
  },
  {
    id: 'platform.create.content-type-wrong',
    clause: '4.1',
    question: 'How is a creation with another Content-Type (`text/plain`) answered?',
    answers: {
      '415': 'with 415',
      '400': 'with 400',
      'accepted': 'the account is created',
    },
    default: '415',
    why: 'A browser can send text/plain across origins without asking first.',
  },
  {
    id: 'platform.create.size-limit',
    clause: '8',
    question: 'How is a valid body answered that white space makes 2 MiB long?',
    answers: {
      '413': 'with 413',
      '400': 'with 400',
      'accepted': 'the account is created',
      'closed': 'the connection is closed without an answer',
    },
    default: '413',
    why: 'A server without a limit can be made to run out of memory.',
  },
  {
    id: 'platform.errors.invalid-json',
    clause: '7',
    question: 'With which status is a body that is not JSON refused?',
    answers: {
      '400': '400',
      '422': '422',
    },
    default: '400',
    why: 'A client tells by the status whether its program or its data is wrong.',
  },
  {
    id: 'platform.errors.not-an-object',
    clause: '7',
    question: 'With which status is a body refused that is JSON but no object?',
    answers: {
      '400': '400',
      '422': '422',
    },
    default: '400',
    why: 'A client tells by the status whether its program or its data is wrong.',
  },
] as const satisfies readonly Question[]
