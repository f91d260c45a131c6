import type { Question } from '../../question.ts'

export const authenticationQuestions = [
  {
    id: 'plugin.auth.before-path',
    clause: '5',
    question: 'Is the key checked before the path is looked up?',
    answers: {
      before: 'a request without a key to an unknown path is answered with 401',
      after: 'a request without a key to an unknown path is answered with 404',
    },
    default: 'before',
    why: 'A client that probes for the plugin learns from the status whether the address or the key is wrong.',
  },
  {
    id: 'plugin.auth.before-method',
    clause: '5',
    question: 'Is the key checked before the method?',
    answers: {
      before: 'a request without a key with a wrong method on a known path is answered with 401',
      after: 'a request without a key with a wrong method on a known path is answered with 405',
    },
    default: 'before',
    why: 'Monitoring that sends a cheap request without a key sees one status or the other.',
  },
  {
    id: 'plugin.auth.before-body',
    clause: '5',
    question: 'Is the key checked before the body?',
    answers: {
      before: 'an invalid body without a key is answered with 401',
      after: 'an invalid body without a key is answered with 400',
    },
    default: 'before',
    why: 'A server that reads bodies of strangers can be kept busy without a key.',
  },
  {
    id: 'plugin.auth.two-headers',
    clause: '5',
    question: 'What counts when the two headers carry two different keys, one right and one wrong?',
    answers: {
      either: 'the request is accepted if either key is right',
      'x-api-key': 'only the key in X-API-Key counts',
      authorization: 'only the key in Authorization counts',
      both: 'both keys must be right',
    },
    default: 'either',
    why: 'A proxy that adds a key of its own makes a client fail, or lets it in.',
  },
  {
    id: 'plugin.auth.bearer-case',
    clause: '5',
    question: 'Is the word Bearer recognised in lower case?',
    answers: {
      accepted: '`Authorization: bearer <key>` is accepted',
      refused: '`Authorization: bearer <key>` is answered with 401',
    },
    default: 'accepted',
    why: 'HTTP libraries differ in how they write the scheme, which HTTP itself compares without case.',
  },
  {
    id: 'plugin.auth.bearer-spaces',
    clause: '5',
    question: 'May more than one space stand between Bearer and the key?',
    answers: {
      accepted: 'two spaces are accepted',
      refused: 'two spaces are answered with 401',
    },
    default: 'accepted',
    why: 'A header put together by hand is accepted by one server and refused by the next.',
  },
  {
    id: 'plugin.auth.challenge',
    clause: '5',
    question: 'Does a 401 carry the WWW-Authenticate header?',
    answers: {
      sent: 'a 401 carries WWW-Authenticate',
      absent: 'a 401 carries no WWW-Authenticate',
    },
    default: 'sent',
    why: 'Some HTTP libraries treat a 401 without the challenge as a broken answer.',
  },
  {
    id: 'plugin.disabled.wire',
    clause: '5',
    question: 'How does the disabled API, with an empty API_Key, look on the wire?',
    answers: {
      refused: 'nothing listens: the connection is refused',
      dropped: 'the connection is accepted and closed without an answer',
      '401': 'every request is answered with 401',
      '403': 'every request is answered with 403',
      '404': 'every request is answered with 404',
      '503': 'every request is answered with 503',
    },
    default: 'refused',
    why: 'An operator who cannot reach the plugin must know whether it is down or switched off.',
  },
] as const satisfies readonly Question[]
