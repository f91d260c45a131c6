import { describe, expect, test } from 'vitest'
import { memoryFile } from '../storage/memory-file.ts'
import { createPlatformSimulator, type KeyPair, type PlatformSimulatorOptions } from './index.ts'
import { ask, create, documented, list, pair, signed, terms, withType } from './testing/client.ts'

async function started(options: PlatformSimulatorOptions = {}) {
  const simulator = createPlatformSimulator({ keyPair: pair, ...options })
  await simulator.start()
  return simulator
}

const withKey = ({ apiKey }: Pick<KeyPair, 'apiKey'>) => ({
  headers: { ...withType, Authorization: `Bearer ${apiKey}` },
})

test('it shows the account of the brokerage', async () => {
  const simulator = createPlatformSimulator({ account: { name: 'Ada & Co' } })
  expect(simulator.account).toMatchObject({ id: 'acct_1048576', name: 'Ada & Co' })
})

/** What `create` sends. */
const creation = { method: 'POST', path: '/v1/trading-accounts', body: JSON.stringify(terms) }

describe('the clock', () => {
  test('sets the dates of new accounts and keys', async () => {
    await using simulator = await started()
    simulator.clock.freeze(new Date('2030-01-01T00:00:00Z'))
    simulator.clock.advance(90_000)
    await create(simulator)
    expect(await list(simulator)).toMatchObject([{ created_at: '2030-01-01T00:01:30.000Z' }])
    const { id } = await simulator.keys.create()
    expect((await simulator.keys.list()).find((key) => key.id === id)?.createdAt).toBe('2030-01-01T00:01:30.000Z')
  })

  test('expires keys, and makes timestamps of signatures too old', async () => {
    await using simulator = await started()
    const key = await simulator.keys.create({ expiresAt: new Date(simulator.clock.now() + 3_600_000) })
    simulator.clock.advance(3_600_000)
    expect(await ask(simulator, withKey(key))).toMatchObject({ status: 401 })
    expect(await ask(simulator, { headers: { ...documented, ...signed() } })).toMatchObject({ status: 401 })
    simulator.clock.reset()
    expect(await ask(simulator, withKey(key))).toMatchObject({ status: 200 })
  })

  test('runs from the given time, and expires a key at once', async () => {
    let nowMs = 1_000
    await using simulator = await started({ now: () => nowMs })
    nowMs = 2_000
    simulator.clock.advance(500)
    const key = await simulator.keys.create()
    await simulator.keys.expire(key.id)
    expect((await simulator.keys.list()).at(-1)?.expiresAt).toBe('1970-01-01T00:00:02.500Z')
    expect(await ask(simulator, withKey(key))).toMatchObject({ json: { error: { code: 'expired_api_key' } } })
  })
})

describe('a reset', () => {
  test('restores the keys and accounts that were loaded first, and the system time', async () => {
    const file = memoryFile()
    {
      await using earlier = await started({ file })
      await create(earlier, { name: 'kept' })
    }
    await using simulator = await started({ file, requestsPerMinute: 9 })
    const { port } = simulator
    await create(simulator, { name: 'gone' })
    const key = await simulator.keys.create()
    await simulator.keys.revoke('key_1')
    simulator.clock.freeze(new Date('2030-01-01T00:00:00Z'))
    await simulator.reset()
    expect(simulator.port).toBe(port)
    expect((await list(simulator)).map(({ name }) => name)).toEqual(['kept'])
    expect(await ask(simulator, withKey(key))).toMatchObject({ status: 401 })
    expect(simulator.clock.isFrozen()).toBe(false)
    await simulator.restart()
    expect(simulator.accounts.map(({ name }) => name)).toEqual(['kept'])
  })

  test('clears the used signatures and the request count', async () => {
    const profile = { 'platform.signing.replayed': 'refused' } as const
    await using simulator = await started({ requestsPerMinute: 3, profile })
    const timestamp = 1_893_456_000
    const headers = { ...documented, ...signed({ ...creation, timestamp }) }
    const statuses = async () => {
      simulator.clock.freeze(new Date(timestamp * 1000))
      const reply = [await create(simulator, {}, { headers }), await create(simulator, {}, { headers })]
      return [...reply, await ask(simulator), await ask(simulator)].map(({ status }) => status)
    }
    expect(await statuses()).toEqual([201, 401, 200, 429])
    await simulator.reset()
    expect(await statuses()).toEqual([201, 401, 200, 429])
  })

  test('restores what was marked as the initial state', async () => {
    await using simulator = await started()
    const key = await simulator.keys.create()
    await simulator.markInitialState()
    await create(simulator)
    await simulator.keys.revoke(key.id)
    await simulator.reset()
    expect(simulator.accounts).toEqual([])
    expect(await ask(simulator, withKey(key))).toMatchObject({ status: 200 })
  })

  test.each(['stop', 'crash'] as const)('restarts it after a %s, even with a damaged file', async (end) => {
    await using simulator = await started()
    await create(simulator)
    const { port } = simulator
    await simulator[end]()
    await simulator.file.write(Buffer.from('{'))
    await simulator.reset()
    expect(simulator.port).toBe(port)
    expect(await list(simulator)).toEqual([])
  })

  test('before the first start resets the clock and loads the file', async () => {
    await using simulator = createPlatformSimulator({ keyPair: pair })
    simulator.clock.freeze()
    await simulator.reset()
    expect(simulator.clock.isFrozen()).toBe(false)
    await simulator.start()
    expect(await ask(simulator)).toMatchObject({ status: 200 })
  })
})

test('subscribers are notified of keys, accounts, starts and stops', async () => {
  const simulator = createPlatformSimulator({ keyPair: pair })
  const seen: string[] = []
  const end = simulator.subscribe(() => {
    seen.push(`${simulator.running}, ${simulator.keys.present().length} keys, ${simulator.accounts.length} accounts`)
  })
  await simulator.start()
  await simulator.keys.create()
  await create(simulator)
  await simulator.crash()
  expect(new Set(seen)).toEqual(
    new Set([
      'true, 1 keys, 0 accounts',
      'true, 2 keys, 0 accounts',
      'true, 2 keys, 1 accounts',
      'false, 0 keys, 0 accounts',
    ]),
  )
  end()
  const before = seen.length
  await simulator.start()
  expect(seen).toHaveLength(before)
  await simulator.stop()
})

test('beyond the limit the remaining count stays 0, however many requests follow', async () => {
  await using simulator = await started({ requestsPerMinute: 1, profile: { 'platform.limits.headers': 'ratelimit' } })
  const responses = [await ask(simulator), await ask(simulator), await ask(simulator)]
  expect(responses.map(({ status, headers }) => [status, headers['ratelimit-remaining']])).toEqual([
    [200, '0'],
    [429, '0'],
    [429, '0'],
  ])
})

test('the error for an unknown path has the code not_found', async () => {
  await using simulator = await started()
  expect(await ask(simulator, { path: '/v1/nowhere' })).toMatchObject({
    status: 404,
    json: { error: { code: 'not_found' } },
  })
})

test('a wrong signature is rejected before a wrong member is', async () => {
  await using simulator = await started()
  const body = JSON.stringify({ ...terms, leverage: 'many' })
  const headers = { ...documented, ...signed({ ...creation, body: 'another body' }) }
  expect(await ask(simulator, { ...creation, body, headers })).toMatchObject({ status: 401 })
})

test('a balance with two decimals is stored exactly, and a large one as a number, where others are rounded', async () => {
  const profile = { 'platform.create.balance-third-decimal': 'rounded' } as const
  await using simulator = createPlatformSimulator({ keyPair: pair, profile })
  await simulator.start()
  const balances = [1.01, 40_893_920_036_255.59, 1e307]
  for (const balance of balances) await create(simulator, { balance })
  expect((await list(simulator)).map(({ balance }) => balance)).toEqual(balances)
})
