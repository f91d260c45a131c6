import { questions } from '../../clause.ts'
import { errorStatus, headQuestion, pathQuestions } from '../../json-api.ts'

const path = pathQuestions({ known: '/v1/account', doubleSlash: '/v1//account', otherCase: '/V1/Account' })

export const platformPathQuestions = questions('4.1', {
  'platform.errors.unknown-path': {
    ...errorStatus('an unknown path', '404', '400'),
    why: 'The status tells a client whether its address or its data is wrong.',
  },
  'platform.method.account': {
    ...errorStatus('POST /v1/account with an empty object', '405', '404', '400'),
    why: 'A client that mixes up its calls learns which one was wrong.',
  },
  'platform.method.head': headQuestion('/v1/account', '405', '404'),
  'platform.method.options': {
    question: 'Which status does OPTIONS /v1/account return?',
    answers: { '405': '405', '404': '404', '204': '204', '200': '200' },
    default: '405',
    why: 'A browser sends OPTIONS before a call across origins.',
  },
  'platform.path.without-version': {
    clause: '9',
    question: 'How is GET /account, without /v1, handled?',
    answers: {
      'unknown': 'the path is unknown',
      'answered': 'it returns the account',
      'redirected': 'it redirects (3xx)',
    },
    why: 'A client that omits the version works today and breaks with the next version.',
  },
  'platform.path.trailing-slash': path.trailingSlash,
  'platform.path.double-slash': path.doubleSlash,
  'platform.path.case': path.otherCase,
  'platform.path.query': {
    question: 'How is a query string on a known path (`/v1/account?x=1`) handled?',
    answers: { 'ignored': 'it is ignored', '400': 'the request returns 400' },
    default: 'ignored',
    why: 'Clients add a cache-busting parameter to a GET.',
  },
  'platform.limits.headers': {
    clause: '8',
    question: 'Do responses report a rate limit in their headers?',
    answers: {
      'absent': 'no',
      'x-ratelimit': 'yes: in X-RateLimit-Limit and similar headers',
      'ratelimit': 'yes: in RateLimit-Limit or RateLimit',
    },
    why: 'A client that knows the limit slows down before it is rejected.',
  },
  'platform.headers.request-id': {
    question: 'Do responses have an X-Request-Id header?',
    answers: { 'absent': 'no', 'sent': 'yes' },
    why: 'A support question to the operator can name the request.',
  },
})
