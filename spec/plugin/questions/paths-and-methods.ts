import { questions, returns } from '../../clause.ts'

/** Whether a DELETE with this spelling of an index is accepted. */
const removes = (request: string, why: string) =>
  ({
    question: `Does ${request} remove the rule at that index?`,
    answers: { accepted: 'yes', refused: 'no: it returns 404' },
    default: 'refused',
    why,
  }) as const

export const pathAndMethodQuestions = questions('4.2', {
  'plugin.method.head': {
    question: 'Is HEAD allowed where GET is?',
    answers: {
      allowed: 'yes: HEAD /api/status returns 200 without a body',
      '405': 'no: HEAD /api/status returns 405',
    },
    default: 'allowed',
    why: 'Load balancers and uptime monitors often use HEAD.',
  },
  'plugin.method.options': {
    question: 'How is OPTIONS on a known path handled?',
    answers: {
      '405': 'it returns 405, like any other undocumented method',
      '204': 'it returns 204 with an Allow header',
      '200': 'it returns 200 with an Allow header',
    },
    default: '405',
    why: 'A browser sends OPTIONS before a call across origins.',
  },
  'plugin.method.lower-case': {
    question: 'How is a method in lower case (`get`) handled?',
    answers: {
      ...returns('it', '400', '405', '501'),
      accepted: 'it is accepted like the method in upper case',
      closed: 'the connection is closed without a response',
    },
    default: '400',
    why: 'HTTP methods are case-sensitive, yet hand-written clients send them in lower case.',
  },
  'plugin.method.unknown': {
    clause: '7',
    question: 'How is a method that HTTP does not define (`BREW`) on a known path handled?',
    answers: { ...returns('it', '400', '405', '501'), closed: 'the connection is closed without a response' },
    default: '400',
    why: 'It shows whether the HTTP library or the plugin decides which methods exist.',
  },
  'plugin.path.trailing-slash': {
    question: 'How is a trailing slash on a known path (`/api/status/`) handled?',
    answers: {
      unknown: 'the path is unknown and returns 404',
      ignored: 'the slash is ignored',
      redirected: 'it redirects (3xx) to the path without the slash',
    },
    why: 'URL builders add or drop the slash; a redirected POST may lose its body.',
  },
  'plugin.path.double-slash': {
    question: 'How is a double slash (`/api//status`) handled?',
    answers: {
      unknown: 'the path is unknown and returns 404',
      ignored: 'it counts as a single slash',
    },
    why: 'A base URL with a trailing slash is joined to a path with a leading slash.',
  },
  'plugin.path.case': {
    question: 'Are paths case-sensitive (`/API/Status`)?',
    answers: {
      sensitive: 'yes: the path is unknown and returns 404',
      insensitive: 'no: the case is ignored',
    },
    why: 'Proxy rules that compare paths case-sensitively can be bypassed.',
  },
  'plugin.path.query': {
    question: 'How is a query string on a known path (`/api/status?x=1`) handled?',
    answers: {
      ignored: 'it is ignored',
      unknown: 'the path is unknown and returns 404',
      refused: 'the request returns 400',
    },
    why: 'Clients add a cache-busting parameter to a GET.',
  },
  'plugin.path.percent-encoding': {
    question: 'Is a percent-encoded letter in the path (`/api/%73tatus`) decoded?',
    answers: {
      decoded: 'yes: the path is known',
      literal: 'no: the path is unknown and returns 404',
    },
    why: 'Two spellings of one path matter where a proxy filters by path.',
  },
  'plugin.index.leading-zero': removes(
    '`DELETE /api/rules/0<index>` (leading zero)',
    'A client that pads its numbers removes a rule, or does not.',
  ),
  'plugin.index.plus-sign': removes(
    '`DELETE /api/rules/+<index>` (plus sign)',
    'Number parsers in C accept a sign that the path should not have.',
  ),
  'plugin.index.space': removes(
    '`DELETE /api/rules/%20<index>` (encoded leading space)',
    'Number parsers in C skip whitespace, so a damaged path still removes a rule.',
  ),
  'plugin.index.space-behind': removes(
    '`DELETE /api/rules/<index>%20` (encoded space after the index)',
    'Servers that trim the index accept paths that others reject.',
  ),
  'plugin.index.underscore': removes(
    '`DELETE /api/rules/0_<index>` (underscore between digits)',
    'Number parsers of some languages read underscores between digits.',
  ),
  'plugin.index.other-digits': removes(
    'DELETE with the index in Arabic-Indic digits',
    'Number parsers of some languages read the digits of every script.',
  ),
  'plugin.index.query': {
    question: 'Does `DELETE /api/rules/<index>?x=1` (query string) remove the rule at that index?',
    answers: { ignored: 'yes: the query string is ignored', refused: 'no: it returns 404 or 400' },
    why: 'A proxy that appends a parameter must not change which rule is removed.',
  },
})
