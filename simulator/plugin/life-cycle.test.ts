import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'light-my-request'
import supertest from 'supertest'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSimulator, rulesFileName, type SimulatorOptions } from '../index.ts'
import { key, post, ruleText, send, withKey } from '../testing/client.ts'
import { latchBeforeSave } from './testing/latch.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function started(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ port: 0, apiKey: key, dataDir: folder, ...options })
  await simulator.start()
  return simulator
}

const masters = ({ rules }: { rules: readonly { master: bigint }[] }) => rules.map(({ master }) => master)
const copy = { API_Key: key, Copy_0: '10>1,mult,1.0,same', Copy_5: '15>1,fixed,0.5,reverse' }

describe('the rules', () => {
  test.each(['restart', 'crash'] as const)('are restored after a %s', async (end) => {
    await using simulator = await started()
    await post(simulator, ruleText({ master: '1' }))
    await post(simulator, ruleText({ master: '2' }))
    await send(simulator, { method: 'DELETE', path: '/api/rules/0' })
    if (end === 'crash') await simulator.crash()
    await simulator.restart()
    expect(masters(simulator)).toEqual([2n])
  })

  test('are loaded from Copy_N if there is no file, with gaps and Copy_0', async () => {
    await using simulator = await started({ parameters: copy })
    expect(masters(simulator)).toEqual([10n, 15n])
    expect(await simulator.rulesFile.exists()).toBe(false)
  })

  test('are loaded from a file without rules even if there is Copy_N', async () => {
    await using simulator = await started({ parameters: copy })
    await send(simulator, { method: 'DELETE', path: '/api/rules/0' })
    await send(simulator, { method: 'DELETE', path: '/api/rules/0' })
    await simulator.restart()
    expect(masters(simulator)).toEqual([])
  })

  test('are loaded from Copy_N again once the file is deleted, and a stop does not write it back', async () => {
    await using simulator = await started({ parameters: copy })
    await post(simulator, ruleText())
    await rm(join(folder, rulesFileName))
    await simulator.stop()
    expect(await simulator.rulesFile.exists()).toBe(false)
    await simulator.start()
    expect(masters(simulator)).toEqual([10n, 15n])
  })

  test('survive a restart in memory if there is no folder, but not a new simulator', async () => {
    const { dataDir: _, ...options } = { port: 0, apiKey: key, dataDir: undefined }
    await using simulator = createSimulator(options)
    await simulator.start()
    await post(simulator, ruleText({ master: '1' }))
    await simulator.restart()
    expect(masters(simulator)).toEqual([1n])
    await using other = createSimulator(options)
    await other.start()
    expect(masters(other)).toEqual([])
  })

  test('are empty if the file is a folder, which cannot be read', async () => {
    await mkdir(join(folder, rulesFileName))
    await using simulator = await started({ parameters: copy })
    expect(masters(simulator)).toEqual([])
    expect((await post(simulator, ruleText())).status).toBe(500)
  })

  test('are not affected by files that an earlier crash left behind', async () => {
    await using simulator = await started()
    await post(simulator, ruleText({ master: '1' }))
    await simulator.stop()
    await writeFile(join(folder, `${rulesFileName}.tmp`), 'ServiceCopyTrade rules, fo')
    await simulator.start()
    expect(masters(simulator)).toEqual([1n])
  })
})

describe('the port', () => {
  test('does not change over restarts and crashes, and is closed in between', async () => {
    await using simulator = await started()
    const { url, port } = simulator
    await simulator.restart()
    await simulator.crash()
    await expect(send({ port })).rejects.toThrow('ECONNREFUSED')
    expect(() => simulator.url).toThrow('The simulator has no open port.')
    await simulator.start()
    expect(simulator.url).toBe(url)
  })

  test('comes from API_Port unless the option is set', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const simulator = createSimulator({ parameters: { API_Key: key, API_Port: `${port}` } })
    await expect(simulator.start()).rejects.toMatchObject({ name: 'PortUnavailableError' })
    expect(simulator.running).toBe(false)
    await new Promise((resolve) => server.close(resolve))
    await simulator.start()
    expect(simulator.port).toBe(port)
    await simulator.stop()
  })

  test.each(['x', '-1', '65536', '1.5'])('cannot be %s', async (API_Port) => {
    const simulator = createSimulator({ parameters: { API_Key: key, API_Port } })
    await expect(simulator.start()).rejects.toThrow('API_Port must be an integer from 0 to 65535.')
  })

  test('that is invalid is rejected by a restart before the stop', async () => {
    await using simulator = createSimulator({ parameters: { API_Key: key, API_Port: '0' } })
    await simulator.start()
    const restarting = simulator.restart({ parameters: { API_Key: key, API_Port: 'x' } })
    await expect(restarting).rejects.toThrow('API_Port must be an integer from 0 to 65535.')
    expect((await send(simulator, { headers: { 'X-API-Key': key } })).status).toBe(200)
  })

  test('opens and closes with the key', async () => {
    await using simulator = await started()
    const { port } = simulator
    await simulator.restart({ parameters: { API_Key: '' } })
    await expect(send({ port })).rejects.toThrow('ECONNREFUSED')
    await simulator.restart({ parameters: { API_Key: 'other' } })
    expect((await send(simulator)).status).toBe(401)
    expect((await send(simulator, { headers: { 'X-API-Key': 'other' } })).status).toBe(200)
  })
})

describe('a stop', () => {
  test('lets a request in flight finish and closes its connection', async () => {
    const { override, reached, open } = latchBeforeSave()
    const simulator = await started({ override })
    const agent = new Agent({ keepAlive: true })
    const adding = post(simulator, ruleText(), { agent })
    await reached
    const stopping = simulator.stop()
    open()
    const { status, headers } = await adding
    expect([status, headers.connection]).toEqual([201, 'close'])
    await stopping
    await simulator.start()
    expect(simulator.rules).toHaveLength(1)
    await simulator.stop()
  })

  test('does not wait for idle connections', async () => {
    const simulator = await started()
    const agent = new Agent({ keepAlive: true })
    await send(simulator, { agent })
    const silent = connect({ host: '127.0.0.1', port: simulator.port })
    const halfway = connect({ host: '127.0.0.1', port: simulator.port })
    await Promise.all([silent, halfway].map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    halfway.write('GET /api/sta')
    await send(simulator)
    await simulator.stop()
    expect(simulator.running).toBe(false)
    agent.destroy()
    silent.destroy()
    halfway.destroy()
  })

  test('can be requested twice, and before any start', async () => {
    const simulator = createSimulator({ port: 0 })
    await simulator.stop()
    await simulator.start()
    await Promise.all([simulator.stop(), simulator.stop(), simulator.crash()])
    expect(simulator.running).toBe(false)
  })
})

test('a crash cuts requests in flight, and unacknowledged changes are not saved', async () => {
  const { override, reached, open } = latchBeforeSave()
  const simulator = await started({ override })
  const adding = post(simulator, ruleText())
  const cut = expect(adding).rejects.toThrow()
  await reached
  const crashing = simulator.crash()
  open()
  await crashing
  await cut
  expect(await simulator.rulesFile.exists()).toBe(false)
  expect([simulator.running, simulator.rules]).toEqual([false, []])
})

test.each([1, 4])('`fetch` does not use one of its %i connections after a restart and a crash', async (connections) => {
  // Without a disk the next start takes no time.
  await using simulator = createSimulator({ port: 0, apiKey: key })
  await simulator.start()
  const read = () => fetch(`${simulator.url}/api/rules`, { headers: withKey }).then((response) => response.json())
  await Promise.all(Array.from({ length: connections }, read))
  await simulator.restart()
  await Promise.all(Array.from({ length: connections }, read))
  await simulator.crash()
  await simulator.restart()
  expect(await read()).toMatchObject({ total: 0 })
})

test('new parameters take effect at the next start', async () => {
  await using simulator = await started()
  simulator.control.replaceParameters(copy)
  expect(masters(simulator)).toEqual([])
  await simulator.restart()
  expect([masters(simulator), simulator.control.parameters()]).toEqual([[10n, 15n], copy])
})

test.each([-1, 1.5, Number.NaN])('a capacity of %s is rejected', (capacity) => {
  expect(() => createSimulator({ capacity })).toThrow('capacity must be an integer of at least 0.')
})

describe('without a port of its own', () => {
  test('a simulator works with supertest', async () => {
    const simulator = createSimulator({ apiKey: key })
    const api = supertest(simulator.callback())
    await api.post('/api/rules').set(withKey).type('json').send(ruleText()).expect(201)
    const { body } = await api.get('/api/status').set(withKey).expect(200)
    expect(body).toMatchObject({ rules_loaded: 1 })
    await api.get('/nowhere').set(withKey).expect(404, { error: 'Unknown endpoint.' })
  })

  test('a simulator works with light-my-request, over a restart and until it is stopped', async () => {
    const simulator = createSimulator({ apiKey: key })
    const ask = (method: 'GET' | 'POST', payload?: string) =>
      inject(simulator.callback(), { method, url: '/api/rules', headers: withKey, ...(payload && { payload }) })
    expect((await ask('POST', ruleText())).statusCode).toBe(201)
    await simulator.restart()
    expect((await ask('GET')).json()).toMatchObject({ total: 1 })
    expect(() => simulator.port).toThrow('The simulator has no open port.')
    await simulator.stop()
    await expect(ask('GET')).rejects.toThrow()
  })

  test('a handler keeps working after a start that found its port occupied', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    await using simulator = createSimulator({ apiKey: key, port: (server.address() as AddressInfo).port })
    const api = supertest(simulator.callback())
    await api.post('/api/rules').set(withKey).type('json').send(ruleText()).expect(201)
    await expect(simulator.start()).rejects.toMatchObject({ name: 'PortUnavailableError' })
    await api.get('/api/status').set(withKey).expect(200)
    await new Promise((resolve) => server.close(resolve))
    await simulator.start()
    expect(simulator.running).toBe(true)
  })

  test('a crash during the start of a simulator whose handler is in use does not prevent later starts', async () => {
    await using simulator = createSimulator({ apiKey: key, port: 0 })
    const api = supertest(simulator.callback())
    await api.get('/api/status').set(withKey).expect(200)
    const starting = simulator.start().catch((error: Error) => error.message)
    await simulator.crash()
    expect(await starting).toBe('The server was killed while it was starting.')
    expect(simulator.running).toBe(false)
    await simulator.start()
    await api.post('/api/rules').set(withKey).type('json').send(ruleText()).expect(201)
  })

  test('requests are cut while the plugin refuses to start', async () => {
    const parameters = { API_Key: key, Copy_1: 'garbage' }
    const simulator = createSimulator({ parameters, profile: { 'plugin.start.copy-unreadable': 'refuses-to-start' } })
    await expect(supertest(simulator.callback()).get('/api/rules').set(withKey)).rejects.toThrow()
  })

  test.each(['refused', 'dropped'] as const)('requests are cut while the API is disabled (%s)', async (answer) => {
    const simulator = createSimulator({ apiKey: '', profile: { 'plugin.disabled.wire': answer } })
    await expect(supertest(simulator.callback()).get('/api/rules').set(withKey)).rejects.toThrow('socket hang up')
  })
})

test('a logger such as pino receives the log entries', async () => {
  const events: string[] = []
  const record = (_: object, message: string) => void events.push(message)
  await using simulator = await started({ log: { info: record, warn: record, error: record } })
  await send(simulator)
  await simulator.stop()
  expect(events).toEqual(['rules-loaded', 'started', 'request', 'stopped'])
})

test('the log names the Copy_N parameters that cannot be read', async () => {
  const entries: object[] = []
  const record = (entry: object) => void entries.push(entry)
  const parameters = { API_Key: key, Copy_1: '1>2,mult,1.0,same', Copy_2: 'garbage' }
  await using _ = await started({ parameters, log: { info: record, warn: record, error: record } })
  expect(entries[0]).toMatchObject({ source: 'parameters', unreadable: ['Copy_2'] })
})

test('the log counts the rules of Copy_N that do not fit', async () => {
  const warnings: object[] = []
  const log = { info: () => undefined, warn: (entry: object) => void warnings.push(entry), error: () => undefined }
  await using _ = await started({ parameters: { ...copy, Copy_6: '1>2,3,mult,1.0,same' }, capacity: 2, log })
  expect(warnings).toMatchObject([{ source: 'parameters', beyondCapacity: 2 }])
})

test('without a Copy_N parameter no rules file is written at the start', async () => {
  const profile = { 'plugin.start.copy-saved': 'yes' } as const
  await using simulator = await started({ parameters: { API_Key: key }, profile })
  expect(await simulator.rulesFile.exists()).toBe(false)
})

test('a crash during the start leaves no open port', async () => {
  const simulator = createSimulator({ port: 0, apiKey: key, dataDir: folder })
  const starting = simulator.start().then(
    () => simulator.port,
    () => undefined,
  )
  await new Promise((resolve) => setImmediate(resolve))
  await simulator.crash()
  await starting
  await simulator.stop()
  expect(simulator.running).toBe(false)
})

test('the hint of a foreign address is not to free the port', async () => {
  const simulator = createSimulator({ apiKey: 'k', host: '192.0.2.1', port: 0 })
  const hint = 'Choose an address of this machine, such as 127.0.0.1.'
  await expect(simulator.start()).rejects.toMatchObject({ name: 'PortUnavailableError', hint })
})

test('an override of an unknown hook is rejected with the nearest name', () => {
  const misspelled = { disclosedWithoutAuht: true } as object
  expect(() => createSimulator({ override: () => misspelled })).toThrow(
    'There is no option "override.disclosedWithoutAuht". Did you mean "override.disclosedWithoutAuth"?',
  )
})

test('an override replaces only the hooks that it names', async () => {
  await using simulator = await started({
    parameters: copy,
    override: () => ({ fileWins: (rules) => rules.length > 0, finish: (response) => ({ ...response, status: 418 }) }),
  })
  for (const _ of masters(simulator)) await send(simulator, { method: 'DELETE', path: '/api/rules/0' })
  expect(masters(simulator)).toEqual([])
  await simulator.restart()
  expect(masters(simulator)).toEqual([10n, 15n])
  expect((await send(simulator)).status).toBe(418)
})
