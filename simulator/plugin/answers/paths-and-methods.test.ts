import type { pathAndMethodQuestions } from '../../../spec/plugin/questions/paths-and-methods.ts'
import type { Simulator } from '../../index.ts'
import { key, post, ruleText, send, sendRaw, statusOf } from '../../testing/client.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'

const redirection = (path: string) => async (simulator: Simulator) => {
  const { status, headers } = await send(simulator, { path })
  return [status, headers.location]
}
const statusAt = (path: string) => async (simulator: Simulator) => (await send(simulator, { path })).status
const withMethod = (method: string) => async (simulator: Simulator) =>
  statusOf(
    await sendRaw(
      simulator,
      `${method} /api/status HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`,
    ),
  )
const removedAt = (path: string) => async (simulator: Simulator) => {
  await post(simulator, ruleText())
  const { status } = await send(simulator, { method: 'DELETE', path })
  return [status, simulator.rules.length]
}

const removed = [200, 0]
const kept = [404, 1]
const json = 'application/json; charset=utf-8'

demonstrate({
  'plugin.method.head': {
    show: async (simulator) => {
      const { status, text } = await send(simulator, { method: 'HEAD', path: '/api/status' })
      return [status, text]
    },
    shows: { 'allowed': [200, ''], '405': [405, ''] },
  },
  'plugin.method.options': {
    show: async (simulator) => {
      const { status, headers, text } = await send(simulator, { method: 'OPTIONS' })
      return [status, headers.allow, headers['content-type'], text]
    },
    shows: {
      '405': [405, 'GET, POST, HEAD', json, '{"error":"Method not allowed. Allowed: GET, POST, HEAD."}'],
      '204': [204, 'GET, POST, HEAD, OPTIONS', undefined, ''],
      '200': [200, 'GET, POST, HEAD, OPTIONS', json, '{"allow":"GET, POST, HEAD, OPTIONS"}'],
    },
  },
  'plugin.method.lower-case': {
    show: withMethod('get'),
    shows: { '400': 400, '405': 405, '501': 501, 'accepted': 200, 'closed': 'closed' },
  },
  'plugin.method.unknown': {
    show: withMethod('BREW'),
    shows: { '400': 400, '405': 405, '501': 501, 'closed': 'closed' },
  },
  'plugin.path.trailing-slash': {
    show: redirection('/api/status/?x=1'),
    shows: { unknown: [404, undefined], ignored: [200, undefined], redirected: [308, '/api/status?x=1'] },
  },
  'plugin.path.double-slash': {
    show: redirection('/api//status?x=1'),
    shows: { unknown: [404, undefined], ignored: [200, undefined], redirected: [308, '/api/status?x=1'] },
  },
  'plugin.path.case': {
    show: statusAt('/API/Status'),
    shows: { sensitive: 404, insensitive: 200 },
  },
  'plugin.path.query': {
    show: statusAt('/api/status?x=1'),
    shows: { ignored: 200, unknown: 404, refused: 400 },
  },
  'plugin.path.percent-encoding': {
    show: statusAt('/api/%73tatus'),
    shows: { decoded: 200, literal: 404 },
  },
  'plugin.index.leading-zero': {
    show: removedAt('/api/rules/00'),
    shows: { accepted: removed, refused: kept },
  },
  'plugin.index.plus-sign': {
    show: removedAt('/api/rules/+0'),
    shows: { accepted: removed, refused: kept },
  },
  'plugin.index.space': {
    show: removedAt('/api/rules/%200'),
    shows: { accepted: removed, refused: kept },
  },
  'plugin.index.space-behind': {
    show: removedAt('/api/rules/0%20'),
    shows: { accepted: removed, refused: kept },
  },
  'plugin.index.underscore': {
    show: removedAt('/api/rules/0_0'),
    shows: { accepted: removed, refused: kept },
  },
  'plugin.index.other-digits': {
    show: removedAt('/api/rules/%D9%A0'),
    shows: { accepted: removed, refused: kept },
  },
  'plugin.index.query': {
    show: removedAt('/api/rules/0?x=1'),
    shows: { ignored: removed, refused: kept },
  },
} satisfies Demonstrations<typeof pathAndMethodQuestions>)
