import { questions } from '../../clause.ts'
import { errorStatus } from '../../json-api.ts'

export const signingQuestions = questions('5', {
  'platform.signing.check': {
    question: 'How is the signature of a request handled?',
    answers: {
      'accepted': 'it is checked if present, and the key alone is accepted',
      'required': 'it is checked, and a request without one is rejected',
      'off': 'it is ignored',
    },
    why: 'A client that signs incorrectly is locked out, or never notices.',
  },
  'platform.signing.status': {
    ...errorStatus('a request with a wrong signature', '401', '403'),
    why: 'A client asks for another key after one of them and gives up after the other.',
  },
  'platform.signing.stale': {
    question: 'Is a signed request with a timestamp ten minutes in the past accepted?',
    answers: { 'refused': 'no', 'accepted': 'yes' },
    why: 'A client with a wrong clock is locked out, or an intercepted request can be replayed.',
  },
  'platform.signing.future': {
    question: 'Is a signed request with a timestamp ten minutes in the future accepted?',
    answers: { 'refused': 'no', 'accepted': 'yes' },
    why: 'A client with a wrong clock is locked out.',
  },
  'platform.signing.replayed': {
    question: 'How is an exact repeat of a signed creation handled?',
    answers: {
      'accepted': 'like any other creation with the same content',
      'refused': 'it is rejected for its signature',
    },
    why: 'Anyone who saw a signed request can send it again and open another account.',
  },
  'platform.signing.without-timestamp': {
    question: 'How is a request with a signature but no timestamp handled?',
    answers: {
      'refused': 'it is rejected',
      'accepted': 'it is treated like a request without a signature',
    },
    why: 'A client may not notice that one of its headers was lost in transit.',
  },
  'platform.signing.upper-case': {
    question: 'Is a signature with upper-case hexadecimal digits accepted?',
    answers: { 'refused': 'no', 'accepted': 'yes' },
    why: 'Languages differ in how they print a digest.',
  },
  'platform.signing.covers-query': {
    question: 'Does the signed path include the query string?',
    answers: { 'included': 'yes', 'excluded': 'no' },
    why: 'A client that sends a query string may be rejected for a wrong signature.',
  },
})
