import type { Question } from '../../question.ts'

export const bodyQuestions = [
  {
    id: 'plugin.body.unknown-member',
    clause: '4.2',
    question: 'Is a member that the specification does not list accepted in the body of POST?',
    answers: {
      ignored: 'it is ignored and the rule is added',
      refused: 'it is answered with 400',
    },
    default: 'ignored',
    why: 'A client written for a later version sends more than this server knows.',
  },
  {
    id: 'plugin.body.duplicate-member',
    clause: '4.2',
    question: 'Which one counts when the body names a member twice with two valid values?',
    answers: {
      last: 'the last one',
      first: 'the first one',
      refused: 'neither: it is answered with 400',
    },
    default: 'last',
    why: 'A checker in front of the plugin and the plugin itself may read two different values.',
  },
  {
    id: 'plugin.body.content-type-absent',
    clause: '4.2',
    question: 'Is a JSON body without Content-Type accepted?',
    answers: {
      accepted: 'the rule is added',
      '400': 'it is answered with 400',
      '415': 'it is answered with 415',
    },
    default: 'accepted',
    why: 'Small HTTP clients send no Content-Type unless told to.',
  },
  {
    id: 'plugin.body.content-type-wrong',
    clause: '4.2',
    question: 'Is a JSON body with another Content-Type (`text/plain`) accepted?',
    answers: {
      accepted: 'the rule is added',
      '400': 'it is answered with 400',
      '415': 'it is answered with 415',
    },
    default: 'accepted',
    why: 'A browser can send text/plain across origins without asking first.',
  },
  {
    id: 'plugin.body.byte-order-mark',
    clause: '4.2',
    question: 'Is a byte order mark in front of the JSON text accepted?',
    answers: {
      accepted: 'it is skipped and the rule is added',
      refused: 'it is answered with 400',
    },
    default: 'refused',
    why: 'Files saved on Windows often begin with one.',
  },
  {
    id: 'plugin.body.invalid-utf-8',
    clause: '4.2',
    question: 'Is a body accepted whose only fault is invalid UTF-8 inside an unknown member?',
    answers: {
      refused: 'it is answered with 400',
      replaced: 'the bytes are replaced or ignored and the rule is added',
    },
    default: 'refused',
    why: 'It shows whether names could be damaged silently.',
  },
  {
    id: 'plugin.body.size-limit',
    clause: '8',
    question: 'How is a valid body answered that white space makes 2 MiB long?',
    answers: {
      accepted: 'the rule is added',
      '400': 'with 400',
      '413': 'with 413',
      closed: 'the connection is closed without an answer',
    },
    default: '400',
    why: 'A server without a limit can be made to run out of memory.',
  },
  {
    id: 'plugin.body.on-delete',
    clause: '4.2',
    question: 'Is a DELETE accepted that carries a body?',
    answers: {
      ignored: 'the body is ignored and the rule is removed',
      refused: 'it is answered with 400 and nothing is removed',
    },
    default: 'ignored',
    why: 'Some HTTP libraries send an empty JSON object with every DELETE.',
  },
] as const satisfies readonly Question[]
