import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { responseOf } from '../client/client.test-data.ts'
import type { Client } from '../client/client.ts'
import type { RawClient } from '../client/raw.ts'
import type { Request } from '../client/request.ts'
import { type HttpResponse, NoResponse } from '../client/response.ts'
import { type AccountEntry, type AccountGuardOptions, guardAccounts, readAccountLedger } from './accounts.ts'
import { openLedger } from './ledger.ts'
import { UnannouncedRequest } from './write-guard.ts'

const label = 'copytrade-tck 261120 a1b2'
const exchange = {} as HttpResponse['exchange']

function ledgerFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'accounts.jsonl')
}

/** A guarded platform that answers each request with the next status; null means no response. */
function guarded(statuses: readonly (number | null)[], changes: Partial<AccountGuardOptions> = {}) {
  const file = ledgerFile()
  const ledger = openLedger<AccountEntry>(file, (text) => text)
  onTestFinished(() => ledger.close())
  const sent: Request[] = []
  const written: string[] = []
  const client: Client = async (request) => {
    const status = statuses[sent.push(request) - 1]
    written.push(readFileSync(file, 'utf8'))
    if (status === null || status === undefined) throw new NoResponse('no answer', exchange)
    return responseOf(status, {}, Buffer.alloc(0), exchange)
  }
  const rawSent: string[] = []
  const raw: RawClient = async ({ bytes }) => {
    rawSent.push(Buffer.concat(Buffer.isBuffer(bytes) ? [bytes] : [...bytes]).toString())
    written.push(readFileSync(file, 'utf8'))
    return { responses: [], end: 'closed', saidClose: false, bytes: Buffer.alloc(0) }
  }
  const guards = guardAccounts({ client, raw, prefix: '/p', group: 'demo', label, ledger, mostAccounts: 3, ...changes })
  return { guard: guards.client, rawGuard: guards.raw, sent, rawSent, written, file, ledger }
}

const post = (body: string, path = '/v1/trading-accounts', method: Request['method'] = 'POST'): Request => ({
  method,
  path,
  headers: {},
  body: Buffer.from(body),
})
const account = (number: number, group = 'demo') => JSON.stringify({ name: `${label} ${number}`, group, leverage: 100 })

test('announced requests are sent after they are on the disk, and further ones are not sent', async () => {
  const { guard, sent, written } = guarded([201, 400, 201, 201])
  for (const number of [1, 2, 3]) await guard(post(account(number)))
  expect(written.map((text) => text.includes(`{"event":"create","name":"${label} 1"}`))).toEqual([true, true, true])
  await expect(guard(post(account(4)))).rejects.toThrow(UnannouncedRequest)
  expect(sent).toHaveLength(3)
})

test.for([
  ['another group', post(account(1, 'real'))],
  ['the group in upper case', post(account(1, 'DEMO'))],
  ['no group', post(JSON.stringify({ name: `${label} 1` }))],
  ['two groups', post(`{"name":"${label} 1","group":"real","group":"demo"}`)],
  ['a group that is escaped', post(`{"name":"${label} 1","gr\\u006fup":"demo"}`)],
  ['a second group that is escaped', post(`{"name":"${label} 1","gr\\u006fup":"real","group":"demo"}`)],
  ['another name', post(JSON.stringify({ name: 'Jane Doe', group: 'demo' }))],
  ['no name', post(JSON.stringify({ group: 'demo' }))],
  ['half a body', post(account(1).slice(0, -8))],
  ['a list', post(`[${account(1)}]`)],
  ['nothing', post('')],
  ['another path', post(account(1), '/v1/account')],
  ['a query', post(account(1), '/v1/trading-accounts?x=1')],
  ['another method', post(account(1), '/v1/trading-accounts', 'PUT')],
  ['a removal', post('', '/v1/account', 'DELETE')],
] as const)('a request with %s is never sent', async ([_, request]) => {
  const { guard, sent } = guarded([201])
  await expect(guard(request)).rejects.toThrow(UnannouncedRequest)
  expect(sent).toEqual([])
})

test('without a ledger only reads are sent', async () => {
  const { guard, sent } = guarded([200, 200, 200], { ledger: null })
  for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
    await guard({ method, path: '/v1/account', headers: {}, body: null })
  }
  await expect(guard(post(account(1)))).rejects.toThrow('read-only')
  expect(sent).toHaveLength(3)
})

test('the ledger shows which accounts were created, rejected or are uncertain', async () => {
  const { guard, file, ledger } = guarded([201, 400, null, 500, 202], { mostAccounts: 9 })
  ledger.append({
    event: 'open',
    schema: 'copytrade-tck/account-ledger@1',
    target: 'https://api.example.test',
    startedAt: '2026-11-20T00:00:00.000Z',
    group: 'demo',
    label,
    mostAccounts: 9,
  })
  for (const number of [1, 2, 3, 4, 5]) await guard(post(account(number))).catch(() => undefined)
  expect(readAccountLedger(file)).toEqual({
    group: 'demo',
    most: 9,
    created: [`${label} 1`, `${label} 5`],
    uncertain: [`${label} 3`, `${label} 4`],
  })
})

test('a missing ledger has no accounts', () => {
  expect(readAccountLedger('/no/such/ledger')).toBeNull()
})

test('a body with escapes elsewhere than in group and name is sent, and one without its closing brace', async () => {
  const { guard, sent } = guarded([201, 400])
  await guard(post(account(2).slice(0, -1)))
  await guard(post(`{"name":"${label} 1","group":"demo","\\u0063urrency":"\\u0055SD"}`))
  expect(sent).toHaveLength(2)
})

const rawPost = (body: string, framing = `Content-Length: ${Buffer.byteLength(body)}`) =>
  Buffer.from(`POST /p/v1/trading-accounts HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n${body}`)

test('raw bytes of one creation are sent after they are on the disk, with a length or chunked', async () => {
  const { rawGuard, rawSent, written } = guarded([], { mostAccounts: 2 })
  const body = account(1)
  const chunked = `5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`
  await rawGuard({ bytes: rawPost(body), responses: 1 })
  await rawGuard({ bytes: rawPost(chunked, 'Transfer-Encoding: chunked'), responses: 1 })
  expect(rawSent).toHaveLength(2)
  expect(written[1]?.match(/"event":"create"/g)).toHaveLength(2)
  await expect(rawGuard({ bytes: rawPost(body), responses: 1 })).rejects.toThrow(UnannouncedRequest)
})

test.for([
  ['another group', rawPost(account(1, 'real'))],
  ['a second request', Buffer.concat([rawPost(account(1)), rawPost(account(2))])],
  ['a body that is longer than its length', rawPost(account(1), 'Content-Length: 5')],
  ['two lengths', rawPost(account(1), `Content-Length: ${account(1).length}\r\nContent-Length: 0`)],
  ['no length', rawPost(account(1), 'X: y')],
  ['an incomplete chunked body', rawPost(`5\r\n${account(1)}`, 'Transfer-Encoding: chunked')],
  ['bytes after its last chunk', rawPost('0\r\n\r\nDELETE / HTTP/1.1', 'Transfer-Encoding: chunked')],
  ['another path', Buffer.from(rawPost(account(1)).toString().replace('/p/', '/'))],
] as const)('raw bytes of a creation with %s are never sent', async ([_, bytes]) => {
  const { rawGuard, rawSent } = guarded([])
  await expect(rawGuard({ bytes, responses: 1 })).rejects.toThrow(UnannouncedRequest)
  expect(rawSent).toEqual([])
})

test('other raw bytes are sent only if all of them are reads', async () => {
  const { rawGuard, rawSent } = guarded([])
  const read = Buffer.from('GET /v1/account HTTP/1.1\r\n\r\n')
  await rawGuard({ bytes: [read, read], responses: 2 })
  const others = ['POST / HTTP/1.1\r\n\r\n', 'DELETE / HTTP/1.1\r\n\r\n', 'get / HTTP/1.1\r\n\r\n', '\0\0\0\0']
  for (const other of others.map((text) => Buffer.from(text))) {
    await expect(rawGuard({ bytes: other, responses: 1 }), `${other}`).rejects.toThrow('neither reads nor')
  }
  await expect(rawGuard({ bytes: [read, rawPost(account(1))], responses: 2 })).rejects.toThrow(UnannouncedRequest)
  const pipelined = Buffer.concat([read, Buffer.from('DELETE / HTTP/1.1\r\n\r\n')])
  await expect(rawGuard({ bytes: pipelined, responses: 2 })).rejects.toThrow(UnannouncedRequest)
  expect(rawSent).toHaveLength(1)
})
