import { questions } from '../../clause.ts'
import { errorStatus, keyQuestions } from '../../json-api.ts'

export const platformAuthenticationQuestions = questions('5', {
  'platform.errors.missing-key': {
    ...errorStatus('a request without a key', '401', '403'),
    why: 'A client asks for a key after one of them and gives up after the other.',
  },
  'platform.errors.wrong-key': {
    ...errorStatus('a request with a wrong key', '401', '403'),
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
  'platform.auth.challenge': keyQuestions.challenge,
  'platform.auth.before-path': keyQuestions.beforePath,
  'platform.auth.before-method': keyQuestions.beforeMethod,
  'platform.auth.before-body': keyQuestions.beforeBody,
  'platform.auth.bearer-case': keyQuestions.bearerCase,
  'platform.auth.bearer-spaces': keyQuestions.bearerSpaces,
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
