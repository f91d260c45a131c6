import { questions, returns } from '../../clause.ts'
import { headQuestion, pathQuestions } from '../../json-api.ts'

const path = pathQuestions({ known: '/api/status', doubleSlash: '/api//status', otherCase: '/API/Status' })

/** Whether a DELETE with this spelling of an index is accepted. */
const removes = (request: string, why: string) =>
  ({
    question: `Does ${request} remove the rule at that index?`,
    answers: { accepted: 'yes', refused: 'no: it returns 404' },
    default: 'refused',
    why,
  }) as const

export const pathAndMethodQuestions = questions('4.2', {
  'plugin.method.head': headQuestion('/api/status', '405'),
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
  'plugin.path.trailing-slash': path.trailingSlash,
  'plugin.path.double-slash': path.doubleSlash,
  'plugin.path.case': path.otherCase,
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
