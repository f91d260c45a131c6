import { createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command, emptyFolder, start } from './command.ts'

interface Pair {
  readonly id: string
  readonly apiKey: string
  readonly apiSecret: string
}

const args = ['simulate', '--port', '0', '--api-key', 'k', '--platform-port', '0', '--control-port', '0']

async function served(more: readonly string[] = [], cwd = emptyFolder()) {
  const running = start([...args, ...more], { cwd })
  const [, controlUrl = '', token = ''] = await running.printed(/"control":"([^"]+)".*"token":"([^"]+)"/)
  const [line] = await running.printed(/\{"platform":.*\}/)
  const { url, ...printed } = JSON.parse(line).platform as { readonly url: string } & Omit<Pair, 'id'>
  const control = async (method: string, path: string, body: object = {}) => {
    const answer = await fetch(controlUrl + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, Connection: 'close' },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, text, body: text === '' ? null : JSON.parse(text) }
  }
  return { ...running, url, printed, control }
}

/** A client's request, signed if a secret is given. */
async function request(url: string, { apiKey, apiSecret }: Omit<Pair, 'id' | 'apiSecret'> & Partial<Pair>, body = '') {
  const [method, path] = body === '' ? ['GET', '/v1/account'] : ['POST', '/v1/trading-accounts']
  const timestamp = `${Math.floor(Date.now() / 1000)}`
  const signature =
    apiSecret &&
    createHmac('sha256', apiSecret)
      .update(timestamp + method + path + body)
      .digest('hex')
  const answer = await fetch(url + path, {
    method,
    headers: {
      'Authorization': `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Connection': 'close',
      ...(signature && { 'X-Platform-Timestamp': timestamp, 'X-Platform-Signature': signature }),
    },
    ...(body !== '' && { body }),
  })
  const { error, ...told } = (await answer.json()) as { readonly error?: { readonly code: string } }
  return { status: answer.status, code: error?.code, told: told as unknown }
}

const terms = { name: 'Ada', group: 'demo', leverage: 100, currency: 'USD', balance: 1000.5 }

test('a key pair from the control server gives access to the platform, signed or not, until it expires or is revoked', async () => {
  const folder = emptyFolder()
  const { url, printed, control, child, ended } = await served(['--data-dir', 'd'], folder)
  const { body: pair } = await control('POST', '/platform/keys', { name: 'tests', expiresAt: '2099-01-01T00:00:00Z' })
  const { body: other } = await control('POST', '/platform/keys')
  expect(await request(url, pair)).toMatchObject({ status: 200 })
  expect(await request(url, { apiKey: pair.apiKey })).toMatchObject({ status: 200 })
  const forged = { apiKey: pair.apiKey, apiSecret: other.apiSecret }
  expect(await request(url, forged)).toMatchObject({ status: 401, code: 'invalid_signature' })

  await control('POST', '/platform/clock/advance', { ms: 60_000 })
  const { body: clock } = await control('POST', '/platform/clock/freeze')
  const created = await request(url, pair, JSON.stringify(terms))
  expect(created).toMatchObject({ status: 201, told: { data: { name: 'Ada', created_at: clock.now } } })
  expect(Date.parse(clock.now)).toBeGreaterThan(Date.now() + 30_000)
  expect((await control('GET', '/platform/accounts')).body).toMatchObject({
    tradingAccounts: [{ name: 'Ada', createdAt: clock.now }],
  })

  await control('POST', `/platform/keys/${pair.id}/expire`)
  expect(await request(url, pair)).toMatchObject({ status: 401, code: 'expired_api_key' })
  await control('POST', `/platform/keys/${other.id}/revoke`)
  expect(await request(url, other)).toMatchObject({ status: 401, code: 'invalid_api_key' })
  const { text } = await control('GET', '/platform/keys')
  expect(JSON.parse(text).keys).toMatchObject([
    { name: 'first', apiKey: printed.apiKey, expiresAt: null, revokedAt: null },
    { name: 'tests', expiresAt: clock.now, revokedAt: null },
    { name: '', expiresAt: null, revokedAt: clock.now },
  ])

  await control('POST', '/platform/restart', { how: 'crash' })
  expect(await request(url, pair)).toMatchObject({ code: 'expired_api_key' })
  const file = readFileSync(join(folder, 'd', 'platform.json'), 'utf8')
  child.kill('SIGTERM')
  const { code, stdout, stderr } = await ended
  expect(code).toBe(0)
  const shown = file + text + stdout + stderr
  expect([pair, other].filter(({ apiSecret }: Pair) => shown.includes(apiSecret))).toEqual([])
  expect([pair, other].filter(({ apiKey }: Pair) => (stdout + stderr).includes(apiKey))).toEqual([])
})

test('after a reset the printed pair is valid, and later changes are gone', async () => {
  const { url, printed, control } = await served()
  const { body: pair } = await control('POST', '/platform/keys')
  await request(url, pair, JSON.stringify(terms))
  await control('POST', '/platform/keys/key_1/revoke')
  await control('POST', '/platform/clock/freeze', { at: '2030-01-01T00:00:00Z' })
  expect((await control('POST', '/platform/reset')).status).toBe(204)
  expect(await request(url, printed)).toMatchObject({ status: 200 })
  expect(await request(url, pair)).toMatchObject({ status: 401 })
  expect((await control('GET', '/state')).body.platform).toMatchObject({
    url,
    tradingAccounts: [],
    keys: [{ id: 'key_1' }],
    clock: { frozen: false },
  })
})

test('without --platform-port the control server says how to get a platform', async () => {
  const { printed } = start(['simulate', '--port', '0', '--api-key', 'k', '--control-port', '0'])
  const [, control = '', token = ''] = await printed(/"control":"([^"]+)".*"token":"([^"]+)"/)
  const headers = { Authorization: `Bearer ${token}`, Connection: 'close' }
  const answer = await fetch(`${control}/platform/keys`, { method: 'POST', headers })
  expect(answer.status).toBe(404)
  expect(await answer.json()).toEqual({
    error: expect.any(String),
    hint: expect.stringContaining('--platform-port'),
  })
})

test.for(['--control-port', '--platform-port'])(
  'if the port of %s is in use nothing is served, and no key pair is created',
  async (option) => {
    const folder = emptyFolder()
    const blocking = await served()
    const more = ['--data-dir', 'd', option, new URL(blocking.url).port]
    const { code, stdout, stderr } = await command([...args, ...more], { cwd: folder })
    expect(stderr).toContain('Cannot listen')
    expect(stdout).not.toMatch(/"control":|"serving|apiSecret/)
    expect(code).toBe(2)
    expect(existsSync(join(folder, 'd', 'platform.json'))).toBe(false)
  },
)
