import { expect, test } from 'vitest'
import { responseOf } from '../client/client.test-data.ts'
import type { Client } from '../client/client.ts'
import type { Request } from '../client/request.ts'
import { createPlugin, keyHeader, toJson } from './plugin.ts'

/** A plugin whose requests are only recorded. */
function listening() {
  const sent: Request[] = []
  const exchange = {
    id: 'x1',
    startedAt: '',
    durationMs: 0,
    request: { method: '', url: '', headers: [], body: null },
    response: null,
    failure: null,
  }
  const client: Client = async (request) => {
    sent.push(request)
    return responseOf(200, {}, Buffer.alloc(0), exchange)
  }
  return { sent, plugin: createPlugin(client, 'the-key') }
}

test('each operation has its method and path and carries the right key', async () => {
  const { sent, plugin } = listening()
  await plugin.status()
  await plugin.list()
  await plugin.remove(3)
  await plugin.remove('01')
  const headers = { 'X-API-Key': 'the-key' }
  expect(sent).toEqual([
    { method: 'GET', path: '/api/status', headers, body: null },
    { method: 'GET', path: '/api/rules', headers, body: null },
    { method: 'DELETE', path: '/api/rules/3', headers, body: null },
    { method: 'DELETE', path: '/api/rules/01', headers, body: null },
  ])
})

test('a rule is added as JSON, and a login beyond a double keeps its digits', async () => {
  const { sent, plugin } = listening()
  await plugin.add({ master: 18_446_744_073_709_551_615n, value: 1.5 })
  expect(sent).toMatchObject([
    {
      method: 'POST',
      path: '/api/rules',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': 'the-key' },
    },
  ])
  expect(sent[0]?.body?.toString()).toBe('{"master":18446744073709551615,"value":1.5}')
})

test('another key, no key, an empty key, and the key as a bearer', async () => {
  const { sent, plugin } = listening()
  await plugin.status({ key: 'another' })
  await plugin.status({ key: null })
  await plugin.status({ key: '' })
  await plugin.status({ as: 'bearer' })
  await plugin.status({ as: 'bearer', key: 'another' })
  expect(sent.map(({ headers }) => headers)).toEqual([
    { 'X-API-Key': 'another' },
    {},
    { 'X-API-Key': '' },
    { Authorization: 'Bearer the-key' },
    { Authorization: 'Bearer another' },
  ])
})

test('a Content-Type is sent only with a body, can be changed, and null sends none', async () => {
  const { sent, plugin } = listening()
  const post = { method: 'POST', path: '/', key: null } as const
  await plugin.send(post)
  await plugin.send({ ...post, contentType: 'text/plain' })
  await plugin.send({ ...post, body: '{}' })
  await plugin.send({ ...post, body: '' })
  await plugin.send({ ...post, body: '{}', contentType: 'text/plain' })
  await plugin.send({ ...post, body: '{}', contentType: null })
  const json = { 'Content-Type': 'application/json' }
  expect(sent.map(({ headers }) => headers)).toEqual([{}, {}, json, json, { 'Content-Type': 'text/plain' }, {}])
})

test('a string is sent as UTF-8, and bytes unchanged', async () => {
  const { sent, plugin } = listening()
  await plugin.send({ method: 'POST', path: '/', body: 'ä' })
  await plugin.send({ method: 'POST', path: '/', body: Buffer.from([0xff, 0]) })
  expect(sent.map(({ body }) => body)).toEqual([Buffer.from([0xc3, 0xa4]), Buffer.from([0xff, 0])])
})

test('further headers override those of the kit', async () => {
  const { sent, plugin } = listening()
  await plugin.status({ headers: { 'X-API-Key': 'theirs', 'X-More': '1' } })
  expect(sent[0]?.headers).toEqual({ 'X-API-Key': 'theirs', 'X-More': '1' })
})

test('the header that carries a key', () => {
  expect(keyHeader('k')).toEqual({ 'X-API-Key': 'k' })
  expect(keyHeader('k', 'bearer')).toEqual({ Authorization: 'Bearer k' })
  expect(keyHeader(null, 'bearer')).toEqual({})
})

test.for([
  [undefined, 'null'],
  [null, 'null'],
  ['a', '"a"'],
  [{ a: undefined, b: [1n, { c: 2n ** 70n }] }, '{"b":[1,{"c":1180591620717411303424}]}'],
])('%o in JSON is %s', ([value, text]) => {
  expect(toJson(value)).toBe(text)
})
