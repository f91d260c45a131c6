import { questions, returns } from '../../clause.ts'
import { keyQuestions } from '../../json-api.ts'

export const authenticationQuestions = questions('5', {
  'plugin.auth.before-path': keyQuestions.beforePath,
  'plugin.auth.before-method': keyQuestions.beforeMethod,
  'plugin.auth.before-body': keyQuestions.beforeBody,
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
  'plugin.auth.bearer-case': keyQuestions.bearerCase,
  'plugin.auth.bearer-spaces': keyQuestions.bearerSpaces,
  'plugin.auth.key-characters': {
    question: 'Is an API_Key with characters that a Bearer token cannot have (`!#$%&*|^`) accepted in X-API-Key?',
    answers: { accepted: 'yes', refused: 'no: it returns 401' },
    why: 'An operator who chooses such a key locks all clients out.',
  },
  'plugin.auth.challenge': keyQuestions.challenge,
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
