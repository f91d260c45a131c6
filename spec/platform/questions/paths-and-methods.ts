import type { Question } from '../../question.ts'

export const platformPathQuestions = [
  {
    id: 'platform.errors.unknown-path',
    clause: '7',
    question: 'With which status is an unknown path answered?',
    answers: {
      '404': '404',
      '400': '400',
    },
    default: '404',
    why: 'A client tells by the status whether its address or its data is wrong.',
  },
  {
    id: 'platform.method.account',
    clause: '7',
    question: 'With which status is POST on /v1/account with an empty object answered?',
    answers: {
      '405': '405',
      '404': '404',
      '400': '400',
    },
    default: '405',
    why: 'A client that mixes up its calls learns which one was wrong.',
  },
  {
    id: 'platform.method.head',
    clause: '4.1',
    question: 'Is HEAD allowed where GET is?',
    answers: {
      'allowed': 'HEAD on /v1/account is answered with 200 and no body',
      '405': 'HEAD on /v1/account is answered with 405',
      '404': 'HEAD on /v1/account is answered with 404',
    },
    default: 'allowed',
    why: 'Load balancers and uptime monitors often ask with HEAD.',
  },
  {
    id: 'platform.method.options',
    clause: '4.1',
    question: 'How is OPTIONS on /v1/account answered?',
    answers: {
      '405': 'with 405',
      '404': 'with 404',
      '204': 'with 204',
      '200': 'with 200',
    },
    default: '405',
    why: 'A browser asks with OPTIONS before it calls across origins.',
  },
  {
    id: 'platform.path.without-version',
    clause: '9',
    question: 'How is the account answered without /v1 in the path?',
    answers: {
      'unknown': 'the path is unknown',
      'answered': 'with the account',
      'redirected': 'with a redirection (3xx)',
    },
    default: 'unknown',
    why: 'A client that forgot the version works today and breaks with the next one.',
  },
  {
    id: 'platform.path.trailing-slash',
    clause: '4.1',
    question: 'How is a slash at the end of a known path (`/v1/account/`) treated?',
    answers: {
      'unknown': 'the path is unknown',
      'ignored': 'the slash is ignored',
      'redirected': 'the client is redirected (3xx) to the path without it',
    },
    default: 'unknown',
    why: 'URL builders add or drop the slash; a redirected POST may lose its body.',
  },
  {
    id: 'platform.path.double-slash',
    clause: '4.1',
    question: 'How is a doubled slash (`/v1//account`) treated?',
    answers: {
      'unknown': 'the path is unknown',
      'ignored': 'the two slashes count as one',
    },
    default: 'unknown',
    why: 'A base URL that ends in a slash is joined with a path that starts with one.',
  },
  {
    id: 'platform.path.case',
    clause: '4.1',
    question: 'Does the case of a path (`/V1/Account`) matter?',
    answers: {
      'sensitive': 'the path is unknown',
      'insensitive': 'the case is ignored',
    },
    default: 'sensitive',
    why: 'Address rules in a proxy that compare with case can be walked around.',
  },
  {
    id: 'platform.path.query',
    clause: '4.1',
    question: 'How is a query string on /v1/account (`?x=1`) treated?',
    answers: {
      'ignored': 'it is ignored',
      '400': 'the request is answered with 400',
    },
    default: 'ignored',
    why: 'Clients add a cache-breaking parameter to a GET.',
  },
  {
    id: 'platform.limits.headers',
    clause: '8',
    question: 'Do answers tell a rate limit in their headers?',
    answers: {
      'absent': 'no',
      'x-ratelimit': 'in X-RateLimit-Limit and its like',
      'ratelimit': 'in RateLimit-Limit or RateLimit',
    },
    default: 'absent',
    why: 'A client that knows the limit slows down before it is refused.',
  },
  {
    id: 'platform.headers.request-id',
    clause: '4.1',
    question: 'Do answers carry the header X-Request-Id?',
    answers: {
      'absent': 'no',
      'sent': 'yes',
    },
    default: 'absent',
    why: 'Whoever asks the operator about a request can name it.',
  },
] as const satisfies readonly Question[]
