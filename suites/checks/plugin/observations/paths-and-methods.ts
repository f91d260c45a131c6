import type { Observation } from '../../../session/check.ts'
import { arabicDigits } from '../index-spellings.ts'
import { answerFor, look, lookAt, lookAtMethod } from './look.ts'

/** Unusual spellings of the index in a DELETE of a rule of the kit. */
const indexSpellings = [
  { id: 'CQ-210', point: 'leading-zero', what: 'a leading zero in the index', spell: (index: number) => `0${index}` },
  { id: 'CQ-211', point: 'plus-sign', what: 'a plus sign before the index', spell: (index: number) => `+${index}` },
  { id: 'CQ-212', point: 'space', what: 'an encoded space before the index', spell: (index: number) => `%20${index}` },
  {
    id: 'CQ-214',
    point: 'space-behind',
    what: 'an encoded space after the index',
    spell: (index: number) => `${index}%20`,
  },
  { id: 'CQ-215', point: 'underscore', what: 'an underscore in the index', spell: (index: number) => `0_${index}` },
  { id: 'CQ-216', point: 'other-digits', what: 'the index in Arabic-Indic digits', spell: arabicDigits },
  { id: 'CQ-213', point: 'query', what: 'a query string after the index', spell: (index: number) => `${index}?x=1` },
] as const

const indexObservations = indexSpellings.map(
  ({ id, point, what, spell }): Observation => ({
    id,
    question: `plugin.index.${point}`,
    title: `DELETE with ${what} shows whether the rule is removed`,
    risk: 'write',
    async run({ plugin, rules }) {
      const [rule] = await rules.arrange(1)
      const seen = await look(() => plugin.remove(spell(rule.index)))
      return answerFor(seen, { 200: point === 'query' ? 'ignored' : 'accepted', 404: 'refused', 400: 'refused' })
    },
  }),
)

/** Questions about paths, methods and the spelling of an index. */
export const pathAndMethodObservations: readonly Observation[] = [
  {
    id: 'CQ-201',
    question: 'plugin.method.head',
    title: 'HEAD /api/status shows whether HEAD is allowed',
    risk: 'read',
    run: (session) => lookAt(session, { method: 'HEAD', path: '/api/status' }, { 200: 'allowed', 405: '405' }),
  },
  {
    id: 'CQ-202',
    question: 'plugin.method.options',
    title: 'OPTIONS /api/status shows how OPTIONS is handled',
    risk: 'read',
    run: (session) =>
      lookAt(session, { method: 'OPTIONS', path: '/api/status' }, { 200: '200', 204: '204', 405: '405' }),
  },
  {
    id: 'CQ-203',
    question: 'plugin.method.lower-case',
    title: 'A request to /api/status with the method get shows how a lower-case method is handled',
    risk: 'write',
    run: (session) =>
      lookAtMethod(session, 'get', {
        200: 'accepted',
        400: '400',
        405: '405',
        501: '501',
        closed: 'closed',
      }),
  },
  {
    id: 'CQ-204',
    question: 'plugin.method.unknown',
    title: 'A request to /api/status with the method BREW shows how an undefined method is handled',
    risk: 'write',
    run: (session) => lookAtMethod(session, 'BREW', { 400: '400', 405: '405', 501: '501', closed: 'closed' }),
  },
  {
    id: 'CQ-205',
    question: 'plugin.path.trailing-slash',
    title: 'GET /api/status/ shows how a trailing slash is handled',
    risk: 'read',
    run: (session) =>
      lookAt(session, { path: '/api/status/' }, { 404: 'unknown', 200: 'ignored', '3xx': 'redirected' }),
  },
  {
    id: 'CQ-206',
    question: 'plugin.path.double-slash',
    title: 'GET /api//status shows how a double slash is handled',
    risk: 'read',
    run: (session) => lookAt(session, { path: '/api//status' }, { 404: 'unknown', 200: 'ignored' }),
  },
  {
    id: 'CQ-207',
    question: 'plugin.path.case',
    title: 'GET /API/Status shows whether paths are case-sensitive',
    risk: 'read',
    run: (session) => lookAt(session, { path: '/API/Status' }, { 404: 'sensitive', 200: 'insensitive' }),
  },
  {
    id: 'CQ-208',
    question: 'plugin.path.query',
    title: 'GET /api/status?x=1 shows how a query string is handled',
    risk: 'read',
    run: (session) => lookAt(session, { path: '/api/status?x=1' }, { 200: 'ignored', 404: 'unknown', 400: 'refused' }),
  },
  {
    id: 'CQ-209',
    question: 'plugin.path.percent-encoding',
    title: 'GET /api/%73tatus shows whether percent-encoded letters are decoded',
    risk: 'read',
    run: (session) => lookAt(session, { path: '/api/%73tatus' }, { 200: 'decoded', 404: 'literal' }),
  },
  ...indexObservations,
]
