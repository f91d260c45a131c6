import { expect, test } from 'vitest'
import { memoryFile } from '../../storage/memory-file.ts'
import { createPlatformSimulator, type KeyPair, type PlatformSimulatorOptions } from '../index.ts'
import { ask, documented, pair, signed, withType } from '../testing/client.ts'

async function started(options: PlatformSimulatorOptions = {}) {
  const simulator = createPlatformSimulator(options)
  await simulator.start()
  return simulator
}

const withKey = ({ apiKey }: Pick<KeyPair, 'apiKey'>) => ({
  headers: { ...withType, Authorization: `Bearer ${apiKey}` },
})

function errorResponse(code: string) {
  return { status: 401, json: { error: { code } } }
}

test('a created key opens the account, even one created before the first start', async () => {
  await using simulator = createPlatformSimulator()
  const early = await simulator.keys.create()
  await simulator.start()
  const late = await simulator.keys.create()
  expect(await ask(simulator, withKey(early))).toMatchObject({ status: 200 })
  expect(await ask(simulator, withKey(late))).toMatchObject({ status: 200 })
  expect([early.id, late.id]).toEqual(['key_1', 'key_2'])
})

test('a wrong option of a key is rejected, and no key is created or changed', async () => {
  await using simulator = await started()
  const { keys } = simulator
  await keys.create()
  const before = await keys.list()
  await expect(keys.create({ expires: 5 } as object)).rejects.toThrow('Did you mean "expiresAt"?')
  await expect(keys.create({ expiresAt: '2030-01-01' as never })).rejects.toThrow('expiresAt must be a valid Date.')
  await expect(keys.expire('key_1', new Date('tomorrow'))).rejects.toThrow('at must be a valid Date.')
  expect(await keys.list()).toEqual(before)
})

test('keys are listed without their secrets', async () => {
  await using simulator = await started({ now: () => 0 })
  const { apiKey, apiSecret } = await simulator.keys.create({ name: 'reports', live: true, expiresAt: new Date(5) })
  const listed = await simulator.keys.list()
  expect(listed).toEqual([
    {
      id: 'key_1',
      name: 'reports',
      apiKey,
      createdAt: '1970-01-01T00:00:00.000Z',
      expiresAt: '1970-01-01T00:00:00.005Z',
      revokedAt: null,
    },
  ])
  expect(JSON.stringify(listed)).not.toContain(apiSecret)
})

test('a revoked key is rejected from then on', async () => {
  await using simulator = await started()
  const key = await simulator.keys.create()
  await simulator.keys.revoke(key.id)
  expect(await ask(simulator, withKey(key))).toMatchObject(errorResponse('invalid_api_key'))
  await simulator.restart()
  expect(await ask(simulator, withKey(key))).toMatchObject(errorResponse('invalid_api_key'))
  await expect(simulator.keys.revoke('key_9')).rejects.toThrow('There is no key key_9.')
})

test('a key expires at its time, or at one that is set later', async () => {
  let nowMs = 1000
  await using simulator = await started({ now: () => nowMs })
  const key = await simulator.keys.create({ expiresAt: new Date(5000) })
  nowMs = 4999
  expect(await ask(simulator, withKey(key))).toMatchObject({ status: 200 })
  nowMs = 5000
  expect(await ask(simulator, withKey(key))).toMatchObject(errorResponse('expired_api_key'))
  await simulator.keys.expire(key.id, new Date(5001))
  expect(await ask(simulator, withKey(key))).toMatchObject({ status: 200 })
})

test('a pair of your own works like any other, and is rejected with another secret', async () => {
  const file = memoryFile()
  {
    await using first = await started({ keyPair: pair, file })
    await first.restart()
    expect(await first.keys.list()).toHaveLength(1)
  }
  await using later = await started({ file })
  expect(await ask(later, { headers: { ...documented, ...signed() } })).toMatchObject({ status: 200 })
  const other = createPlatformSimulator({ file, keyPair: { ...pair, apiSecret: `${pair.apiSecret}!` } })
  await expect(other.start()).rejects.toThrow('The API secret must be the one with which this API key was first used')
})

test('neither the file nor the log holds a secret, and the log holds no key', async () => {
  const entries: unknown[] = []
  await using simulator = await started({ log: (entry) => entries.push(entry) })
  const { apiKey, apiSecret } = await simulator.keys.create()
  await ask(simulator, { headers: { ...withType, Authorization: `Bearer ${apiKey}`, ...signed({ apiSecret }) } })
  await ask(simulator, { headers: { ...withType, Authorization: `Bearer ${apiSecret}` } })
  expect(Buffer.from((await simulator.file.read()) ?? []).toString()).not.toContain(apiSecret)
  const log = JSON.stringify(entries)
  expect([log.includes(apiSecret), log.includes(apiKey)]).toEqual([false, false])
})

test('between a stop and the next start the keys cannot be used', async () => {
  const simulator = await started()
  await simulator.stop()
  await expect(simulator.keys.create()).rejects.toThrow('The simulator has no open port.')
})
