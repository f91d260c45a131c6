import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type LogEntry, serveControl } from '../../index.ts'
import { createPlatformSimulator, type PlatformSimulatorOptions, signRequest } from '../../platform/index.ts'

const token = 'a-token-for-tests-only'

/**
 * A control server with a plugin that is not started, and a platform that is: the platform does not need the plugin.
 */
async function served(options: PlatformSimulatorOptions = {}) {
  const simulator = createSimulator({ port: 0, apiKey: 'k' })
  const entries: LogEntry[] = []
  const log = (entry: LogEntry) => entries.push(entry)
  const platform = createPlatformSimulator({ log, ...options })
  await platform.start()
  const control = await serveControl(simulator, { token, log, platform })
  onTestFinished(async () => {
    await control.close()
    await platform.stop()
  })
  return { platform, control, entries, ask: asker(control.url) }
}

const asker = (url: string) => async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, Connection: 'close' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, text, body: isJson ? JSON.parse(text) : null }
}

interface Pair {
  readonly apiKey: string
  readonly apiSecret: string
}

const terms = { name: 'Ada', group: 'demo', leverage: 100, currency: 'USD', balance: 1000.5 }

/** A request to the platform itself, signed if a secret is given. */
async function request(url: string, { apiKey, apiSecret }: Pick<Pair, 'apiKey'> & Partial<Pair>, body = '') {
  const [method, path] = body === '' ? (['GET', '/v1/account'] as const) : (['POST', '/v1/trading-accounts'] as const)
  const timestamp = `${Math.floor(Date.now() / 1000)}`
  const signature = apiSecret && signRequest(apiSecret, { timestamp, method, path, body: Buffer.from(body) })
  const response = await fetch(url + path, {
    method,
    headers: {
      'Authorization': `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Connection': 'close',
      ...(signature && { 'X-Platform-Timestamp': timestamp, 'X-Platform-Signature': signature }),
    },
    ...(body !== '' && { body }),
  })
  const { error } = (await response.json()) as { readonly error?: { readonly code: string } }
  return { status: response.status, code: error?.code }
}

test('a key pair can be created, listed, expired and revoked', async () => {
  const { ask, platform } = await served({ signing: 'required' })
  const wanted = { name: 'tests', expiresAt: '2031-01-01T00:00:00+01:00', live: true }
  const { status, body: pair } = await ask('POST', '/platform/keys', wanted)
  expect([status, pair]).toEqual([
    200,
    {
      id: 'key_1',
      apiKey: expect.stringMatching(/^bk_live_/),
      apiSecret: expect.stringMatching(/^bs_.{62,}$/),
    },
  ])
  expect(await request(platform.url, pair)).toMatchObject({ status: 200 })
  expect(await request(platform.url, { apiKey: pair.apiKey })).toMatchObject({ status: 401 })
  const listed = (await ask('GET', '/platform/keys')).body.keys
  expect(listed).toEqual([
    {
      id: 'key_1',
      name: 'tests',
      apiKey: pair.apiKey,
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: '2030-12-31T23:00:00.000Z',
      revokedAt: null,
    },
  ])
  expect((await ask('POST', '/platform/keys/key_1/expire')).status).toBe(204)
  expect((await request(platform.url, pair)).code).toBe('expired_api_key')
  expect((await ask('POST', '/platform/keys/key_1/expire', { at: '2031-01-01T00:00:00Z' })).status).toBe(204)
  expect(await request(platform.url, pair)).toMatchObject({ status: 200 })
  expect((await ask('POST', '/platform/keys/key_1/revoke')).status).toBe(204)
  expect((await request(platform.url, pair)).code).toBe('invalid_api_key')
  expect((await ask('POST', '/platform/keys')).body.apiKey).toMatch(/^bk_test_/)
})

test('a secret appears nowhere after its creation: not in lists, state, stream, metrics, journal or log', async () => {
  const { ask, control, platform, entries } = await served()
  const { body: pair } = await ask('POST', '/platform/keys', { name: 'tests' })
  await request(platform.url, pair)
  await ask('POST', '/platform/keys/key_1/expire')
  await ask('POST', `/platform/keys/${pair.id}/revoke`)
  const stopped = new AbortController()
  const events = await fetch(`${control.url}/events`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: stopped.signal,
  })
  const first = await events.body?.getReader().read()
  stopped.abort()
  const paths = ['/state', '/journal', '/metrics', '/client-report', '/platform/keys', '/platform/accounts', '/']
  const shown = await Promise.all(paths.map(async (path) => (await ask('GET', path)).text))
  const streamed = Buffer.from(first?.value ?? []).toString()
  expect(streamed).toContain('"name":"tests"')
  const everything = [...shown, streamed, JSON.stringify(entries)]
  expect(everything.filter((text) => text.includes(pair.apiSecret))).toEqual([])
  // Without signing, the key alone gives access to the account, so only the list shows it.
  expect(everything.filter((text) => text.includes(pair.apiKey))).toEqual([shown[4]])
  expect(everything.join()).not.toMatch(/secretHash/)
})

test('accounts and state show what clients created, with the time of the clock', async () => {
  const { ask, platform } = await served({ account: { id: 'acct_7', name: 'Ada & Co' } })
  const { body: pair } = await ask('POST', '/platform/keys')
  expect((await ask('POST', '/platform/clock/freeze', { at: '2030-01-01T00:00:00Z' })).body).toEqual({
    now: '2030-01-01T00:00:00.000Z',
    frozen: true,
  })
  expect((await ask('POST', '/platform/clock/advance', { ms: 90_000 })).body.now).toBe('2030-01-01T00:01:30.000Z')
  expect(await request(platform.url, { apiKey: pair.apiKey }, JSON.stringify(terms))).toMatchObject({ status: 201 })
  const account = { id: 'acct_7', name: 'Ada & Co', createdAt: '2025-03-04T09:30:15.250Z' }
  const tradingAccounts = [{ id: 'ta_100001', ...terms, createdAt: '2030-01-01T00:01:30.000Z' }]
  expect((await ask('GET', '/platform/accounts')).body).toEqual({ account, tradingAccounts })
  expect((await ask('GET', '/state')).body.platform).toMatchObject({
    running: true,
    url: platform.url,
    account,
    tradingAccounts,
    keys: [{ id: 'key_1', name: '', revokedAt: null }],
    clock: { now: '2030-01-01T00:01:30.000Z', frozen: true },
  })
  expect((await ask('GET', '/clock')).body.frozen).toBe(false)
  expect((await ask('POST', '/platform/clock/reset')).body.frozen).toBe(false)
  expect((await ask('GET', '/platform/clock')).body.frozen).toBe(false)
})

test('the platform can crash, restart and reset while the control server keeps running', async () => {
  const { ask, platform } = await served()
  const { url } = platform
  const { body: pair } = await ask('POST', '/platform/keys')
  expect((await ask('POST', '/platform/crash')).status).toBe(204)
  expect((await ask('GET', '/state')).body.platform).toMatchObject({ running: false, url: null, keys: [] })
  const refused = await ask('POST', '/platform/keys')
  expect([refused.status, refused.body.hint]).toEqual([409, expect.stringContaining('restart the platform')])
  for (const how of ['graceful', 'crash', undefined]) {
    expect((await ask('POST', '/platform/restart', how && { how })).status).toBe(204)
    expect(await request(url, pair)).toMatchObject({ status: 200 })
  }
  await ask('POST', '/platform/clock/freeze')
  expect((await ask('POST', '/platform/reset')).status).toBe(204)
  expect((await ask('GET', '/platform/clock')).body.frozen).toBe(false)
  expect((await request(url, pair)).code).toBe('invalid_api_key')
  await platform.crash()
  await platform.file.write(Buffer.from('{'))
  expect(await ask('POST', '/platform/restart')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('damaged') },
  })
  expect((await ask('POST', '/platform/reset')).status).toBe(204)
  expect((await ask('GET', '/platform/keys')).body).toEqual({ keys: [] })
})

test.for([
  ['POST', '/platform/keys/key_9/revoke', undefined, 404, /no key key_9/],
  ['POST', '/platform/keys/key_9/expire', {}, 404, /no key key_9/],
  ['POST', '/platform/keys', { expiresAt: 'tomorrow' }, 400, /expiresAt: /],
  ['POST', '/platform/keys', { apiSecret: 's' }, 400, /apiSecret/],
  ['POST', '/platform/clock/advance', { ms: 9e15 }, 400, /valid Date/],
  ['POST', '/platform/restart', { how: 'hard' }, 400, /how: /],
  ['POST', '/platform/nowhere', undefined, 404, /no endpoint \/platform\/nowhere/],
  ['DELETE', '/platform/keys', undefined, 405, /DELETE is not allowed/],
] as const)('%s %s with %j is rejected with the reason', async ([method, path, body, status, says]) => {
  const { ask } = await served()
  const response = await ask(method, path, body)
  expect(response).toMatchObject({ status, body: { error: expect.stringMatching(says) } })
  expect(response.body.hint).not.toBe('')
})

test.for([
  ['GET', '/platform/keys', undefined],
  ['POST', '/platform/keys', { name: 1 }],
  ['POST', '/platform/reset', undefined],
  ['DELETE', '/platform', undefined],
] as const)('without a platform %s %s with %j says how to serve one', async ([method, path, body]) => {
  await using control = await serveControl(createSimulator({ port: 0, apiKey: 'k' }), { token })
  const ask = asker(control.url)
  const response = await ask(method, path, body)
  expect(response).toMatchObject({ status: 404, body: { error: expect.stringContaining('No platform is served') } })
  expect(response.body.hint).toContain('--platform-port')
  expect((await ask('GET', '/state')).body.platform).toBeNull()
})

test('the stream reports changes of the platform', async () => {
  const { control, platform } = await served()
  const stopped = new AbortController()
  const headers = { Authorization: `Bearer ${token}` }
  const events = await fetch(`${control.url}/events`, { headers, signal: stopped.signal })
  let received = ''
  const reading = (async () => {
    for await (const chunk of events.body ?? []) received += Buffer.from(chunk).toString()
  })().catch(() => undefined)
  await expect.poll(() => received).toContain('"platform":{"running":true')
  const key = await platform.keys.create({ name: 'seen' })
  await expect.poll(() => received).toContain('"name":"seen"')
  await request(platform.url, { apiKey: key.apiKey }, JSON.stringify(terms))
  await expect.poll(() => received).toContain('"tradingAccounts":1')
  await platform.crash()
  await expect.poll(() => received).toContain('"platform":{"running":false')
  stopped.abort()
  await reading
})
