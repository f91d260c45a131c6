import { post } from '../../../session/rejected-requests.ts'
import type { MethodRow, PlainRow } from './row.ts'

const get = (path: string) => ({ method: 'GET', path }) as const
const status = get('/api/status')

/** The key after another spelling of `Bearer `. */
const bearer = (scheme: string) => (key: string) => ({ ...status, key: null, headers: { Authorization: scheme + key } })

/** Requests that do not depend on the list: about the key, methods and paths. */
export const plainRows: readonly PlainRow[] = [
  {
    ids: ['CQ-101', 'plugin.auth.before-path', 'unknown-path.no-key'],
    title: 'GET of an unknown path without a key shows whether the key is checked before the path',
    send: () => ({ ...get('/api/unknown'), key: null }),
    answers: { 401: 'before', 404: 'after' },
  },
  {
    ids: ['CQ-102', 'plugin.auth.before-method', 'method.put-status-without-key'],
    title: 'PUT /api/status without a key shows whether the key is checked before the method',
    send: () => ({ method: 'PUT', path: '/api/status', key: null }),
    answers: { 401: 'before', 405: 'after' },
  },
  {
    ids: ['CQ-103', 'plugin.auth.before-body', 'add.invalid-json-without-key'],
    title: 'POST with invalid JSON and without a key shows whether the key is checked before the body',
    send: () => post('{"master":', { key: null }),
    answers: { 401: 'before', 400: 'after' },
  },
  {
    ids: ['CQ-105', 'plugin.auth.bearer-case', 'bearer.lower-case'],
    title: 'GET /api/status with a lower-case bearer scheme shows whether that spelling is accepted',
    send: bearer('bearer '),
    answers: { 200: 'accepted', 401: 'refused' },
  },
  {
    ids: ['CQ-106', 'plugin.auth.bearer-spaces', 'bearer.two-spaces'],
    title: 'GET /api/status with two spaces after Bearer shows whether extra spaces are accepted',
    send: bearer('Bearer  '),
    answers: { 200: 'accepted', 401: 'refused' },
  },
  {
    ids: ['CQ-201', 'plugin.method.head', 'head'],
    title: 'HEAD /api/status shows whether HEAD is allowed',
    send: () => ({ ...status, method: 'HEAD' }),
    answers: { 200: 'allowed', 405: '405' },
  },
  {
    ids: ['CQ-202', 'plugin.method.options', 'options'],
    title: 'OPTIONS /api/status shows how OPTIONS is handled',
    send: () => ({ ...status, method: 'OPTIONS' }),
    answers: { 200: '200', 204: '204', 405: '405' },
  },
  {
    ids: ['CQ-205', 'plugin.path.trailing-slash', 'path.trailing-slash'],
    title: 'GET /api/status/ shows how a trailing slash is handled',
    send: () => get('/api/status/'),
    answers: { 404: 'unknown', 200: 'ignored', '3xx': 'redirected' },
  },
  {
    ids: ['CQ-206', 'plugin.path.double-slash', 'path.double-slash'],
    title: 'GET /api//status shows how a double slash is handled',
    send: () => get('/api//status'),
    answers: { 404: 'unknown', 200: 'ignored' },
  },
  {
    ids: ['CQ-207', 'plugin.path.case', 'path.case'],
    title: 'GET /API/Status shows whether paths are case-sensitive',
    send: () => get('/API/Status'),
    answers: { 404: 'sensitive', 200: 'insensitive' },
  },
  {
    ids: ['CQ-208', 'plugin.path.query', 'path.query'],
    title: 'GET /api/status?x=1 shows how a query string is handled',
    send: () => get('/api/status?x=1'),
    answers: { 200: 'ignored', 404: 'unknown', 400: 'refused' },
  },
  {
    ids: ['CQ-209', 'plugin.path.percent-encoding', 'path.percent-encoding'],
    title: 'GET /api/%73tatus shows whether percent-encoded letters are decoded',
    send: () => get('/api/%73tatus'),
    answers: { 200: 'decoded', 404: 'literal' },
  },
]

/** Methods are case-sensitive, so `get` is not a read. */
export const methodRows: readonly MethodRow[] = [
  {
    ids: ['CQ-203', 'plugin.method.lower-case', 'method.lower-case'],
    title: 'A request to /api/status with the method get shows how a lower-case method is handled',
    send: 'get',
    answers: { 200: 'accepted', 400: '400', 405: '405', 501: '501', closed: 'closed' },
  },
  {
    ids: ['CQ-204', 'plugin.method.unknown', 'method.unknown'],
    title: 'A request to /api/status with the method BREW shows how an undefined method is handled',
    send: 'BREW',
    answers: { 400: '400', 405: '405', 501: '501', closed: 'closed' },
  },
]
