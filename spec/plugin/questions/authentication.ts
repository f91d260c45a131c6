import { questions, returns } from '../../clause.ts'

export const authenticationQuestions = questions('5', {
  'plugin.auth.before-path': {
    question: 'Is the key checked before the path?',
    answers: {
      before: 'yes: an unknown path without a key returns 401',
      after: 'no: an unknown path without a key returns 404',
    },
    why: 'The status tells a client whether the address or the key is wrong.',
  },
  'plugin.auth.before-method': {
    question: 'Is the key checked before the method?',
    answers: {
      before: 'yes: a wrong method on a known path without a key returns 401',
      after: 'no: a wrong method on a known path without a key returns 405',
    },
    why: 'Monitoring that sends requests without a key sees one status or the other.',
  },
  'plugin.auth.before-body': {
    question: 'Is the key checked before the body?',
    answers: {
      before: 'yes: an invalid body without a key returns 401',
      after: 'no: an invalid body without a key returns 400',
    },
    why: 'A server that reads the body first can be kept busy without a key.',
  },
  'plugin.auth.two-headers': {
    question: 'Which key counts when the two headers carry different keys, one correct and one wrong?',
    answers: {
      either: 'either: the request is accepted if one of the keys is correct',
      'x-api-key': 'only the key in X-API-Key',
      authorization: 'only the key in Authorization',
      both: 'both: the request is accepted only if both keys are correct',
    },
    why: 'A proxy that adds its own key locks a client out, or lets it in.',
  },
  'plugin.auth.bearer-case': {
    question: 'Is the Bearer scheme accepted in lower case?',
    answers: {
      accepted: 'yes: `Authorization: bearer <key>` is accepted',
      refused: 'no: `Authorization: bearer <key>` returns 401',
    },
    why: 'HTTP libraries differ in how they write the scheme, which HTTP compares case-insensitively.',
  },
  'plugin.auth.bearer-spaces': {
    question: 'Is more than one space between Bearer and the key accepted?',
    answers: { accepted: 'yes: two spaces are accepted', refused: 'no: two spaces return 401' },
    why: 'A header that is built by hand works on one server and fails on the next.',
  },
  'plugin.auth.key-characters': {
    question: 'Is an API_Key with characters that a Bearer token cannot have (`!#$%&*|^`) accepted in X-API-Key?',
    answers: { accepted: 'yes', refused: 'no: it returns 401' },
    why: 'An operator who chooses such a key locks all clients out.',
  },
  'plugin.auth.challenge': {
    question: 'Does a 401 response have a WWW-Authenticate header?',
    answers: { sent: 'yes', absent: 'no' },
    why: 'Some HTTP libraries treat a 401 without a challenge as a malformed response.',
  },
  'plugin.disabled.wire': {
    question: 'How does the API respond when it is disabled by an empty API_Key?',
    answers: {
      refused: 'nothing listens: the connection is refused',
      dropped: 'the connection is accepted and closed without a response',
      ...returns('every request', '401', '403', '404', '503'),
    },
    default: 'refused',
    why: 'An operator who cannot reach the plugin must know whether it is down or disabled.',
  },
})
