import type { Question } from '../../question.ts'

export const platformAuthenticationQuestions = [
  {
    id: 'platform.errors.missing-key',
    clause: '7',
    question: 'With which status is a request without a key refused?',
    answers: {
      '401': '401',
      '403': '403',
    },
    default: '401',
    why: 'A client asks for a key at one of them, and gives up at the other.',
  },
  {
    id: 'platform.errors.wrong-key',
    clause: '7',
    question: 'With which status is a request with a wrong key refused?',
    answers: {
      '401': '401',
      '403': '403',
    },
    default: '401',
    why: 'A client asks for another key at one of them, and gives up at the other.',
  },
  {
    id: 'platform.errors.form',
    clause: '7',
    question: 'Which form has an error?',
    answers: {
      'coded': '`{ error: { code, message, doc_url } }`',
      'text': '`{ error: <text> }`',
      'message': '`{ message: <text> }`',
      'problem': 'application/problem+json (RFC 9457)',
      'no-json': 'no JSON',
    },
    default: 'coded',
    why: 'A client that looks for the code in another form shows nothing, or crashes.',
  },
  {
    id: 'platform.auth.challenge',
    clause: '5',
    question: 'Does a 401 carry the WWW-Authenticate header, or a 403 in its place?',
    answers: {
      'sent': 'yes',
      'absent': 'no',
    },
    default: 'sent',
    why: 'Some HTTP libraries treat a 401 without the challenge as a broken answer.',
  },
  {
    id: 'platform.auth.before-path',
    clause: '5',
    question: 'Is the key checked before the path is looked up?',
    answers: {
      'before': 'a request without a key to an unknown path is refused for want of the key',
      'after': 'a request without a key to an unknown path is told that the path is unknown',
    },
    default: 'before',
    why: 'A client that probes for the API learns from the status whether the address or the key is wrong.',
  },
  {
    id: 'platform.auth.before-method',
    clause: '5',
    question: 'Is the key checked before the method?',
    answers: {
      'before': 'POST on /v1/account without a key is refused for want of the key',
      'after': 'POST on /v1/account without a key is told that the method is wrong',
    },
    default: 'before',
    why: 'Monitoring that sends a cheap request without a key sees one status or the other.',
  },
  {
    id: 'platform.auth.before-body',
    clause: '5',
    question: 'Is the key checked before the body?',
    answers: {
      'before': 'an invalid body without a key is refused for want of the key',
      'after': 'an invalid body without a key is told that it is invalid',
    },
    default: 'before',
    why: 'A server that reads bodies of strangers can be kept busy without a key.',
  },
  {
    id: 'platform.auth.bearer-spaces',
    clause: '5',
    question: 'May more than one space stand between Bearer and the key?',
    answers: {
      'accepted': 'two spaces are accepted',
      'refused': 'two spaces are refused',
    },
    default: 'accepted',
    why: 'A header put together by hand is accepted by one server and refused by the next.',
  },
  {
    id: 'platform.auth.x-api-key',
    clause: '5',
    question: 'Is the key accepted in X-API-Key instead of Authorization?',
    answers: {
      'refused': 'no',
      'accepted': 'yes',
    },
    default: 'refused',
    why: 'The plugin of the same family takes it there: clients mix the two up.',
  },
  {
    id: 'platform.auth.secret-as-bearer',
    clause: '5',
    question: 'Is the API Secret accepted in place of the key?',
    answers: {
      'refused': 'no',
      'accepted': 'yes',
    },
    default: 'refused',
    why: 'A client that has mixed them up works, and sends its secret with every request.',
  },
] as const satisfies readonly Question[]
