import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type LogEntry } from '../index.ts'
import { key, post, ruleText, send, withKey } from '../testing/client.ts'

const entries: LogEntry[] = []
const simulator = createSimulator({ port: 0, apiKey: key, capacity: 1, log: (entry) => entries.push(entry) })
beforeAll(async () => {
  await simulator.start()
  await post(simulator, ruleText())
})
afterAll(() => simulator.stop())

const deep = '['.repeat(10_000) + ']'.repeat(10_000)
const invalid = Buffer.concat([Buffer.from(ruleText()), Buffer.from([0xff])])

const rejectedBodies: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ...['', ' ', '{', '[]', 'null', '"text"', '5', 'true', '[1]', `${ruleText()}x`, `${ruleText()}{}`].map(
    (text) => [text || 'nothing', text, /JSON/] as const,
  ),
  ['single quotes', ruleText().replaceAll('"', "'"), /JSON/],
  ['a comment', `/* rule */${ruleText()}`, /JSON/],
  ['a comma too many', `${ruleText().slice(0, -1)},}`, /JSON/],
  ['NaN', ruleText({ value: 'NaN' }), /JSON/],
  ['a hexadecimal login', ruleText({ master: '0x1F' }), /JSON/],
  ['a leading zero', ruleText({ master: '007' }), /JSON/],
  ['deep nesting', deep, /nested/],
  ['deep nesting in a member', ruleText({ note: deep }), /nested/],
  ['invalid UTF-8', invalid, /UTF-8/],
  ['members of a prototype', `{"__proto__":${ruleText()}}`, /master is missing/],
  ...['master', 'follower', 'mode', 'value', 'direction'].flatMap((field) => [
    [
      `no ${field}`,
      ruleText()
        .replace(new RegExp(`"${field}":[^,}]+,?`), '')
        .replace(',}', '}'),
      new RegExp(field),
    ] as const,
    ...['null', 'true', '[]', '[5]', '{}', '"5"', '""'].map(
      (json) => [`${field} ${json}`, ruleText({ [field]: json }), new RegExp(`^${field} `)] as const,
    ),
  ]),
  ...['0', '-1', '-0', '0.0', '-1e400', '1e-400'].map(
    (value) => [`value ${value}`, ruleText({ value }), /^value must be greater than 0/] as const,
  ),
  ...['"Mult"', '"MULTIPLIER"', '"mult "', '"fix"'].map(
    (mode) => [`mode ${mode}`, ruleText({ mode }), /^mode /] as const,
  ),
  ['direction "Same"', ruleText({ direction: '"Same"' }), /^direction /],
  ['a login of a thousand digits', ruleText({ master: '9'.repeat(1000) }), /^master /],
  ['a login beyond all numbers', ruleText({ follower: '1e999999999' }), /^follower /],
]

test.each(rejectedBodies)('a body is rejected with 400 and a reason: %s', async (_, body, message) => {
  const { status, headers, text } = await post(simulator, body)
  expect(status).toBe(400)
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(Object.keys(JSON.parse(text))).toEqual(['error'])
  expect(JSON.parse(text).error).toMatch(message)
  expect(simulator.rules).toHaveLength(1)
  expect(({} as { master?: unknown }).master).toBeUndefined()
})

test.each([
  'abc',
  '1.0',
  '1abc',
  '-1',
  '-0',
  '',
  '9',
  '99999999999999999999',
  '1e0',
  '0x0',
  '0/',
  '0/x',
  '%',
  '%2F',
  '%00',
  '٠',
])('DELETE with the index "%s" gets 404', async (index) => {
  const { status, text } = await send(simulator, {
    method: 'DELETE',
    path: `/api/rules/${encodeURI(index).replace('%25', '%')}`,
  })
  expect([status, Object.keys(JSON.parse(text))]).toEqual([404, ['error']])
  expect(simulator.rules).toHaveLength(1)
})

test.each([
  ['DELETE', '/api/status', 'GET, HEAD'],
  ['PUT', '/api/rules', 'GET, POST, HEAD'],
  ['PATCH', '/api/rules', 'GET, POST, HEAD'],
  ['DELETE', '/api/rules', 'GET, POST, HEAD'],
  ['POST', '/api/status', 'GET, HEAD'],
  ...['GET', 'PUT', 'PATCH', 'POST', 'HEAD'].map((method): [string, string, string] => [
    method,
    '/api/rules/0',
    'DELETE',
  ]),
])('%s %s gets 405 with the allowed methods in Allow', async (method, path, allow) => {
  const { status, headers } = await send(simulator, { method, path })
  expect([status, headers.allow]).toEqual([405, allow])
})

test.each([
  '/',
  '/api',
  '/api/',
  '/api/unknown',
  '/api/status/x',
  '/api/rules/',
  '//api/status',
  '/api%2Fstatus',
  '/v1/account',
])('%s is unknown', async (path) => {
  const { status, text } = await send(simulator, { path })
  expect([status, Object.keys(JSON.parse(text))]).toEqual([404, ['error']])
})

test.each(['ignored', 'redirected', 'unknown'] as const)(
  'DELETE /api/rules/ gets 404 if a trailing slash is %s',
  async (response) => {
    await using other = createSimulator({ port: 0, apiKey: key, profile: { 'plugin.path.trailing-slash': response } })
    await other.start()
    expect((await send(other, { method: 'DELETE', path: '/api/rules/' })).status).toBe(404)
  },
)

const wrongKeys: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'X-API-Key': 'wrong' },
  { 'X-API-Key': '' },
  { 'X-API-Key': key.toUpperCase() },
  { 'X-API-Key': `${key}x` },
  { 'X-API-Key': key.slice(0, -1) },
  { 'X-API-Key': `Bearer ${key}` },
  { Authorization: key },
  { Authorization: `Basic ${key}` },
  { Authorization: 'Bearer' },
  { Authorization: 'Bearer wrong' },
  { Cookie: `api_key=${key}` },
]

test.each(wrongKeys)('without the correct key nothing is disclosed and nothing changes: %j', async (headers) => {
  const query = `?api_key=${key}&X-API-Key=${key}`
  const replies = [
    await send(simulator, { path: `/api/status${query}`, headers }),
    await send(simulator, { path: '/api/rules', headers }),
    await post(simulator, ruleText(), { headers }),
    await send(simulator, { method: 'DELETE', path: '/api/rules/0', headers }),
  ]
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  expect(simulator.rules).toHaveLength(1)
})

test('at capacity a rule is rejected with 500, and there is room again after a DELETE', async () => {
  const full = await post(simulator, ruleText())
  expect([full.status, Object.keys(JSON.parse(full.text)), simulator.rules.length]).toEqual([500, ['error'], 1])
  expect((await send(simulator, { method: 'DELETE', path: '/api/rules/0' })).status).toBe(200)
  expect((await post(simulator, ruleText())).status).toBe(201)
})

test('neither a response nor the log contains the key', async () => {
  const everywhere = { ...withKey, 'Content-Type': key, 'Authorization': `Basic ${key}` }
  const replies = [
    await send(simulator, { path: `/${key}`, headers: everywhere }),
    await send(simulator, { path: `/api/status?${key}`, headers: {} }),
    await post(simulator, ruleText({ [key]: `"${key}"`, mode: `"${key}"` }), { headers: everywhere }),
    await post(simulator, `{"${key}`, { headers: everywhere }),
    await send(simulator, { method: 'DELETE', path: `/api/rules/${key}` }),
  ]
  expect(JSON.stringify(replies)).not.toContain(key)
  expect(JSON.stringify(entries)).not.toContain(key)
})

test('an unexpected error is logged and gets 500 without its cause', async () => {
  const log: LogEntry[] = []
  const override = () => ({
    statusBody: () => {
      throw new Error('something private')
    },
  })
  await using broken = createSimulator({ port: 0, apiKey: key, override, log: (entry) => log.push(entry) })
  await broken.start()
  const { status, text } = await send(broken, { path: '/api/status' })
  expect([status, JSON.parse(text)]).toEqual([500, { error: 'Internal server error.' }])
  expect(log.find(({ event }) => event === 'unexpected-error')?.reason).toContain('something private')
  expect((await send(broken)).status).toBe(200)
})

test('a key beyond ASCII is recognised as UTF-8 and as Latin-1', async () => {
  await using other = createSimulator({ port: 0, apiKey: 'schlüssel' })
  await other.start()
  const utf8 = Buffer.from('schlüssel').toString('latin1')
  expect((await send(other, { headers: { 'X-API-Key': utf8 } })).status).toBe(200)
  expect((await send(other, { headers: { 'X-API-Key': 'schlüssel' } })).status).toBe(200)
})
