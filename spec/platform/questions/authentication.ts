import { questions } from '../../clause.ts'

export const platformAuthenticationQuestions = questions('5', {
  'platform.errors.missing-key': {
    clause: '7',
    question: 'Which status does a request without a key return?',
    answers: { '401': '401', '403': '403' },
    default: '401',
    why: 'A client asks for a key after one of them and gives up after the other.',
  },
  'platform.errors.wrong-key': {
    clause: '7',
    question: 'Which status does a request with a wrong key return?',
    answers: { '401': '401', '403': '403' },
    default: '401',
    why: 'A client asks for another key after one of them and gives up after the other.',
  },
  'platform.errors.form': {
    clause: '7',
    question: 'What is the format of an error response?',
    answers: {
      'coded': '`{ error: { code, message, doc_url } }`',
      'text': '`{ error: <string> }`',
      'message': '`{ message: <string> }`',
      'problem': 'application/problem+json (RFC 9457)',
      'no-json': 'not JSON',
    },
    default: 'coded',
    why: 'A client that expects another format shows nothing, or crashes.',
  },
  'platform.auth.challenge': {
    question: 'Does a 401 response, or the 403 in its place, have a WWW-Authenticate header?',
    answers: { 'sent': 'yes', 'absent': 'no' },
    why: 'Some HTTP libraries treat a 401 without a challenge as a malformed response.',
  },
  'platform.auth.before-path': {
    question: 'Is the key checked before the path?',
    answers: {
      'before': 'yes: an unknown path without a key is rejected for the missing key',
      'after': 'no: an unknown path without a key is rejected as unknown',
    },
    why: 'The status tells a client whether the address or the key is wrong.',
  },
  'platform.auth.before-method': {
    question: 'Is the key checked before the method?',
    answers: {
      'before': 'yes: POST /v1/account without a key is rejected for the missing key',
      'after': 'no: POST /v1/account without a key is rejected for the method',
    },
    why: 'Monitoring that sends requests without a key sees one status or the other.',
  },
  'platform.auth.before-body': {
    question: 'Is the key checked before the body?',
    answers: {
      'before': 'yes: an invalid body without a key is rejected for the missing key',
      'after': 'no: an invalid body without a key is rejected as invalid',
    },
    why: 'A server that reads the body first can be kept busy without a key.',
  },
  'platform.auth.bearer-case': {
    question: 'Is the Bearer scheme accepted in lower case?',
    answers: {
      accepted: 'yes: `Authorization: bearer <key>` is accepted',
      refused: 'no: `Authorization: bearer <key>` is rejected',
    },
    why: 'HTTP libraries differ in how they write the scheme, which HTTP compares case-insensitively.',
  },
  'platform.auth.bearer-spaces': {
    question: 'Is more than one space between Bearer and the key accepted?',
    answers: {
      'accepted': 'yes: two spaces are accepted',
      'refused': 'no: two spaces are rejected',
    },
    why: 'A header that is built by hand works on one server and fails on the next.',
  },
  'platform.auth.x-api-key': {
    question: 'Is the key accepted in X-API-Key instead of Authorization?',
    answers: { 'refused': 'no', 'accepted': 'yes' },
    why: 'The plugin accepts that header, and clients mix the two up.',
  },
  'platform.auth.secret-as-bearer': {
    question: 'Is the API Secret accepted in place of the key?',
    answers: { 'refused': 'no', 'accepted': 'yes' },
    why: 'A client that mixes the two up works, and sends its secret with every request.',
  },
})
