import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'light-my-request'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPlatformSimulator, type PlatformSimulatorOptions, platformFileName } from './index.ts'
import { ask, create, documented, list, pair, post, signed, terms, withType } from './testing/client.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function started(options: PlatformSimulatorOptions = {}) {
  const simulator = createPlatformSimulator({ keyPair: pair, dataDir: folder, ...options })
  await simulator.start()
  return simulator
}

const names = (accounts: readonly { readonly name?: unknown }[]) => accounts.map(({ name }) => name)

describe('accounts and keys', () => {
  test.each(['restart', 'crash'] as const)('are restored after a %s, at the same port', async (end) => {
    await using simulator = await started()
    const { apiKey } = await simulator.keys.create()
    await create(simulator, { name: 'first' })
    const { url } = simulator
    if (end === 'crash') await simulator.crash()
    await simulator.restart()
    await create(simulator, { name: 'second' })
    expect(simulator.url).toBe(url)
    expect(names(await list(simulator))).toEqual(['first', 'second'])
    const headers = { ...withType, Authorization: `Bearer ${apiKey}` }
    expect(await ask(simulator, { headers })).toMatchObject({ status: 200 })
  })

  test('that were created concurrently are all stored, with different ids', async () => {
    await using simulator = await started()
    const all = Array.from({ length: 20 }, (_, place) => `name ${place}`)
    await Promise.all(all.map((name) => create(simulator, { name })))
    await simulator.restart()
    const listed = await list(simulator)
    expect(names(listed).toSorted()).toEqual(all.toSorted())
    expect(new Set(listed.map(({ id }) => id)).size).toBe(20)
  })

  test('that could not be saved never appear', async () => {
    await using simulator = await started({ override: () => ({ save: () => Promise.reject(new Error('disk full')) }) })
    expect((await create(simulator)).status).toBe(500)
    expect(await list(simulator)).toEqual([])
  })

  test.skipIf(process.platform === 'win32')(
    'are readable only by the owner, since the hashes of secrets can sign',
    async () => {
      await using simulator = await started()
      await create(simulator)
      expect((await stat(join(folder, platformFileName))).mode & 0o777).toBe(0o600)
    },
  )

  test('of a damaged file are not guessed: the simulator does not start, and does not change the file', async () => {
    const simulator = await started()
    await create(simulator)
    await simulator.stop()
    const bytes = Buffer.from((await simulator.file.read()) ?? []).toString()
    for (const damaged of [bytes.replace('"balance": 1000', '"balance": 9000'), bytes.slice(0, -9), '{}']) {
      await writeFile(join(folder, platformFileName), damaged)
      await expect(simulator.start()).rejects.toThrow('platform.json is damaged')
      expect(simulator.running).toBe(false)
    }
    await writeFile(join(folder, platformFileName), bytes)
    await simulator.start()
    expect(await list(simulator)).toMatchObject([{ balance: 1000 }])
    await simulator.stop()
  })

  test('of a file that cannot be read are not guessed: the error names the file and says what to do', async () => {
    await mkdir(join(folder, platformFileName))
    await expect(createPlatformSimulator({ dataDir: folder }).start()).rejects.toMatchObject({
      name: 'UnreadablePlatformFileError',
      message: expect.stringMatching(/^platform\.json cannot be read: EISDIR.*\.$/),
      hint: expect.stringContaining('Restore platform.json'),
    })
  })
})

test('an override of an unknown hook is rejected with the nearest name', () => {
  const misspelled = { rejectedAdress: () => undefined } as object
  expect(() => createPlatformSimulator({ keyPair: pair, override: () => misspelled })).toThrow(
    'There is no option "override.rejectedAdress". Did you mean "override.rejectedAddress"?',
  )
})

test('a crash breaks open requests, and their changes are not stored', async () => {
  const simulator = await started({
    override: () => ({
      save: async (write) => {
        void simulator.crash()
        await write()
      },
    }),
  })
  await expect(create(simulator)).rejects.toThrow()
  await simulator.crash()
  expect(simulator.accounts).toEqual([])
  await simulator.start()
  expect(simulator.accounts).toEqual([])
  await simulator.stop()
})

test('without a port it works with light-my-request', async () => {
  const simulator = createPlatformSimulator({ keyPair: pair })
  const reply = await inject(simulator.callback(), { method: 'GET', url: '/v1/account', headers: documented })
  expect(reply.json()).toEqual({
    data: { id: 'acct_1048576', name: 'Example Brokerage', status: 'active', created_at: '2025-03-04T09:30:15Z' },
  })
  expect(() => simulator.port).toThrow('The simulator has no open port.')
  await simulator.stop()
})

describe('options', () => {
  test('set the brokerage, the groups and the vendor', async () => {
    const account = { id: 'acct_7', name: 'Ada & Co' }
    await using simulator = await started({ account, groups: ['real-eur'], vendor: 'Acme', signing: 'required' })
    const send = (path: string) => {
      const { 'X-Platform-Timestamp': time, 'X-Platform-Signature': signature } = signed({ path })
      const headers = { ...documented, 'X-Acme-Timestamp': time, 'X-Acme-Signature': signature }
      return ask(simulator, { path, headers })
    }
    expect(await send('/v1/account')).toMatchObject({ status: 200, json: { data: account } })
    expect(await ask(simulator)).toMatchObject({ status: 401, json: { error: { code: 'invalid_signature' } } })
    const body = JSON.stringify({ ...terms, group: 'real-eur' })
    const { 'X-Platform-Timestamp': time, 'X-Platform-Signature': signature } = signed({
      method: 'POST',
      path: '/v1/trading-accounts',
      body,
    })
    const headers = { ...documented, 'X-Acme-Timestamp': time, 'X-Acme-Signature': signature }
    expect((await post(simulator, body, { headers })).status).toBe(201)
  })

  test.each([
    [['127.0.0.1'], 200],
    [['127.0.0.0/8'], 200],
    [['10.0.0.0/8', '::1'], 401],
  ] as const)('allow addresses: %j', async (allowedIps, status) => {
    await using simulator = await started({ allowedIps })
    const { json, ...reply } = await ask(simulator)
    expect(reply.status).toBe(status)
    if (status === 401) expect(json).toMatchObject({ error: { code: 'ip_not_whitelisted' } })
  })

  test('limit the requests per minute', async () => {
    let nowMs = 0
    await using simulator = await started({ requestsPerMinute: 2, now: () => nowMs })
    const statuses = [await ask(simulator), await ask(simulator), await ask(simulator)]
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(statuses[2]?.headers['retry-after']).toBe('60')
    nowMs = 60_000
    expect((await ask(simulator)).status).toBe(200)
  })

  test.each([
    [{ vendor: 'a b' }, 'vendor must be'],
    [{ allowedIps: ['nowhere'] }, 'allowedIps must be'],
    [{ allowedIps: ['10.0.0.0/'] }, 'allowedIps must be'],
    [{ allowedIps: [10] as object as string[] }, 'allowedIps must be'],
    [{ port: -1 }, 'port must be'],
    [{ signatureWindowMs: -1 }, 'signatureWindowMs must be'],
    [{ requestsPerMinute: Number.NaN }, 'requestsPerMinute must be'],
    [{ account: { id: '7' } }, 'account.id must be acct_ and digits'],
    [{ account: { createdAt: new Date('yesterday') } }, 'account.createdAt must be a valid Date'],
    [{ profile: { 'platform.create.status': '204' } as object }, '"204" is no answer'],
  ])('are rejected: %j', (options, message) => {
    expect(() => createPlatformSimulator(options)).toThrow(message)
  })
})
