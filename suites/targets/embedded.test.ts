import { expect, onTestFinished, test } from 'vitest'
import { endConnectionAt } from '../../fixtures/ended-connection.ts'
import { programOrSkip } from '../../fixtures/programs.ts'
import { createEmbeddedDriver } from './embedded.ts'

const key = 'a-key-for-tests'
const settings = { parameters: { API_Key: key, Copy_1: '1>2,mult,1,same' }, port: 'given', capacity: null } as const

async function prepared(parameters: Readonly<Record<string, string>> = settings.parameters) {
  const driver = createEmbeddedDriver({ capacity: 5 })
  onTestFinished(() => driver.discardAll())
  const server = await driver.prepare({ ...settings, parameters })
  const list = async () => {
    const response = await fetch(`${server.url}/api/rules`, { headers: { 'X-API-Key': key } })
    return ((await response.json()) as { total: number }).total
  }
  const add = (follower: number) =>
    fetch(`${server.url}/api/rules`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ master: 3, follower, mode: 'mult', value: 1, direction: 'same' }),
    })
  return { driver, ...server, list, add }
}

test('nothing answers before the start, and the port stays the same across restarts', async () => {
  const { driver, id, list, add } = await prepared()
  await expect(list()).rejects.toThrow()
  expect(await driver.start(id, 'ready')).toBe(true)
  await add(4)
  await driver.stop(id)
  await expect(list()).rejects.toThrow()
  expect(await driver.start(id, 'ready')).toBe(true)
  expect(await list()).toBe(2)
})

test('the rules file survives a crash, and without it the parameters are loaded again', async () => {
  const { driver, id, list, add } = await prepared()
  await driver.start(id, 'ready')
  await add(4)
  await driver.crash(id)
  expect(await driver.hasRulesFile(id)).toBe(true)
  await driver.deleteRulesFile(id)
  await driver.start(id, 'ready')
  expect(await list()).toBe(1)
})

test('a server with an empty key does not answer, which is not an error of the driver', async () => {
  const { driver, id, list } = await prepared({ API_Key: '' })
  await driver.start(id, 'brief')
  await expect(list()).rejects.toThrow()
  await driver.stop(id)
})

test.skipIf(process.platform !== 'linux')(
  'a server with an empty key that does not listen is not started again after ended connections at its port',
  async ({ skip }) => {
    const { driver, id, url } = await prepared({ API_Key: '' })
    endConnectionAt(Number(new URL(url).port), programOrSkip('python3', skip))
    expect(await driver.start(id, 'brief')).toBe(false)
  },
)

test('the capacity in the settings overrides the one of the driver', async () => {
  const { driver, id, add } = await prepared()
  await driver.configure(id, { ...settings, capacity: 2 })
  await driver.start(id, 'ready')
  expect([(await add(4)).status, (await add(5)).status]).toEqual([201, 500])
})

test('a server that was not prepared is an error', async () => {
  const { driver } = await prepared()
  await expect(driver.start('s99', 'ready')).rejects.toMatchObject({
    name: 'DriverFailed',
    message: 'there is no server s99',
  })
})
