import { post } from '../../../session/rejected-requests.ts'
import type { MethodRow, PlainRow, Rows } from './row.ts'

const get = (path: string) => ({ method: 'GET', path }) as const
const status = get('/api/status')

/** The key after another spelling of `Bearer `. */
const bearer = (scheme: string) => (key: string) => ({ ...status, key: null, headers: { Authorization: scheme + key } })

/** Requests that do not depend on the list: about the key, methods and paths. */
export const plainRows: Rows<PlainRow> = {
  'CQ-101 GET of an unknown path without a key shows whether the key is checked before the path': {
    ids: ['plugin.auth.before-path', 'unknown-path.no-key'],
    send: () => ({ ...get('/api/unknown'), key: null }),
    answers: { 401: 'before', 404: 'after' },
  },
  'CQ-102 PUT /api/status without a key shows whether the key is checked before the method': {
    ids: ['plugin.auth.before-method', 'method.put-status-without-key'],
    send: () => ({ method: 'PUT', path: '/api/status', key: null }),
    answers: { 401: 'before', 405: 'after' },
  },
  'CQ-103 POST with invalid JSON and without a key shows whether the key is checked before the body': {
    ids: ['plugin.auth.before-body', 'add.invalid-json-without-key'],
    send: () => post('{"master":', { key: null }),
    answers: { 401: 'before', 400: 'after' },
  },
  'CQ-105 GET /api/status with a lower-case bearer scheme shows whether that spelling is accepted': {
    ids: ['plugin.auth.bearer-case', 'bearer.lower-case'],
    send: bearer('bearer '),
    answers: { 200: 'accepted', 401: 'refused' },
  },
  'CQ-106 GET /api/status with two spaces after Bearer shows whether extra spaces are accepted': {
    ids: ['plugin.auth.bearer-spaces', 'bearer.two-spaces'],
    send: bearer('Bearer  '),
    answers: { 200: 'accepted', 401: 'refused' },
  },
  'CQ-201 HEAD /api/status shows whether HEAD is allowed': {
    ids: ['plugin.method.head', 'head'],
    send: () => ({ ...status, method: 'HEAD' }),
    answers: { 200: 'allowed', 405: '405' },
  },
  'CQ-202 OPTIONS /api/status shows how OPTIONS is handled': {
    ids: ['plugin.method.options', 'options'],
    send: () => ({ ...status, method: 'OPTIONS' }),
    answers: { 200: '200', 204: '204', 405: '405' },
  },
  'CQ-205 GET /api/status/ shows how a trailing slash is handled': {
    ids: ['plugin.path.trailing-slash', 'path.trailing-slash'],
    send: () => get('/api/status/'),
    answers: { 404: 'unknown', 200: 'ignored', '3xx': 'redirected' },
  },
  'CQ-206 GET /api//status shows how a double slash is handled': {
    ids: ['plugin.path.double-slash', 'path.double-slash'],
    send: () => get('/api//status'),
    answers: { 404: 'unknown', 200: 'ignored', '3xx': 'redirected' },
  },
  'CQ-207 GET /API/Status shows whether paths are case-sensitive': {
    ids: ['plugin.path.case', 'path.case'],
    send: () => get('/API/Status'),
    answers: { 404: 'sensitive', 200: 'insensitive' },
  },
  'CQ-208 GET /api/status?x=1 shows how a query string is handled': {
    ids: ['plugin.path.query', 'path.query'],
    send: () => get('/api/status?x=1'),
    answers: { 200: 'ignored', 404: 'unknown', 400: 'refused' },
  },
  'CQ-209 GET /api/%73tatus shows whether percent-encoded letters are decoded': {
    ids: ['plugin.path.percent-encoding', 'path.percent-encoding'],
    send: () => get('/api/%73tatus'),
    answers: { 200: 'decoded', 404: 'literal' },
  },
}

/** Methods are case-sensitive, so `get` is not a read. */
export const methodRows: Rows<MethodRow> = {
  'CQ-203 A request to /api/status with the method get shows how a lower-case method is handled': {
    ids: ['plugin.method.lower-case', 'method.lower-case'],
    send: 'get',
    answers: { 200: 'accepted', 400: '400', 405: '405', 501: '501', closed: 'closed' },
  },
  'CQ-204 A request to /api/status with the method BREW shows how an undefined method is handled': {
    ids: ['plugin.method.unknown', 'method.unknown'],
    send: 'BREW',
    answers: { 400: '400', 405: '405', 501: '501', closed: 'closed' },
  },
}
