import { expect, test } from 'vitest'
import type { Exchange } from '../client/exchange.ts'
import { shellVerdict } from './shell-verdict.ts'

function exchange(status: number, body: string, headers: Exchange['request']['headers'] = [], path = '/api/rules') {
  const request = { method: 'GET', url: `http://a${path}`, headers: [], body: null }
  return { id: 'x1', startedAt: '', durationMs: 1, request, response: { status, headers, body }, failure: null }
}

const shown = (patterns: readonly string[]) => ({ patterns, matchesWrong: true })
const notShown = (patterns: readonly string[]) => ({ patterns, matchesWrong: false })
const status = (body: string) => exchange(200, body, [], '/api/status')

test.for<[code: string, exchange: Exchange, expected: object]>([
  ['response.status-not-400', exchange(201, '{}'), notShown(['*~400'])],
  ['response.status-not-allowed', exchange(201, '{}'), notShown(['*~400', '*~404'])],
  ['request.accepted', exchange(201, '{}'), notShown(['*~[!2]??'])],
  ['response.missing', { ...exchange(0, ''), response: null }, shown(['*~000'])],
  ['list.not-empty', exchange(200, '{ "total": 1 }\n'), shown([`'{"total":1}~200'`])],
  ['body.not-object', exchange(404, '<b>\u001b'), notShown([`'{'*'}~'???`])],
  ['status.rules-loaded-wrong', status('{"rules_loaded":3,"api_port":1}'), shown([`*'"rules_loaded":3'[,}]*`])],
  ['status.rules-loaded-not-a-count', status('{"api_port":1}'), notShown([`*'"rules_loaded":'*`])],
  ['header.allow-missing', exchange(405, '{}'), notShown([`*'|allow:'*`])],
  [
    'header.content-type-not-json',
    exchange(200, '', [['Content-Type', 'Text/HTML']]),
    shown([`*'|content-type:text/html|'*`]),
  ],
])('%s', ([code, response, expected]) => {
  const data = { expected: '400 or 404', difference: null }
  expect(shellVerdict({ code, data }, response)).toMatchObject(expected)
})

test.for<[why: string, code: string, exchange: Exchange]>([
  ['a shell knows no order that explains them', 'concurrency.unexplained', exchange(200, '{}')],
  ['the port differs from server to server', 'status.api-port-wrong', status('{"api_port":1}')],
  ['the response is not a list', 'list.changed', exchange(200, '{}', [], '/api/status')],
  ['the end of the response is not known', 'list.changed', exchange(200, '{"rules":[… (9 more characters)')],
  ['the response holds the key', 'body.not-json', exchange(404, '{"error":[redacted]')],
])('no verdict where %s', ([, code, response]) => {
  expect(shellVerdict({ code, data: null }, response)).toBeNull()
})
