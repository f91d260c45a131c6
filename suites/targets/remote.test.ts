import { type MessagePort, Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { ConcurrentEdit } from '../safety/list-change-errors.ts'
import { type Driver, DriverFailed, PortTaken } from './driver.ts'
import { createEmbeddedDriver } from './embedded.ts'
import { StepFailed, StepSkipped } from './live/step.ts'
import { offerDriver, reachDriver } from './remote.ts'

const settings = { parameters: { API_Key: 'k' }, port: 'given', capacity: 5 } as const

/** The port of a driver, offered until the end of the test. */
function offered(driver: Driver): MessagePort {
  const { port, close } = offerDriver(driver)
  onTestFinished(close)
  return port
}

/** A driver that records its calls. */
function listening() {
  const calls: unknown[][] = []
  const noted =
    <Result>(name: string, result: Result) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given])
      return result
    }
  const driver: Driver = {
    prepare: noted('prepare', { id: 's1', url: 'http://127.0.0.1:1' }),
    prepareLike: noted('prepareLike', { id: 's2', url: 'http://127.0.0.1:2' }),
    configure: noted('configure', undefined),
    start: noted('start', false),
    stop: noted('stop', undefined),
    crash: noted('crash', undefined),
    hasRulesFile: noted('hasRulesFile', true),
    deleteRulesFile: noted('deleteRulesFile', undefined),
    writeRulesFile: noted('writeRulesFile', undefined),
    discard: noted('discard', undefined),
  }
  return { calls, driver }
}

test('every step reaches the driver with its arguments, and its result is returned', async () => {
  const { calls, driver } = listening()
  const remote = reachDriver(offered(driver))
  expect(await remote.prepare(settings)).toEqual({ id: 's1', url: 'http://127.0.0.1:1' })
  await remote.configure('s1', settings)
  expect(await remote.start('s1', 'brief')).toBe(false)
  await remote.stop('s1')
  await remote.crash('s1')
  expect(await remote.hasRulesFile('s1')).toBe(true)
  await remote.deleteRulesFile('s1')
  await remote.writeRulesFile('s1', 'text')
  await remote.discard('s1')
  expect(calls).toEqual([
    ['prepare', settings],
    ['configure', 's1', settings],
    ['start', 's1', 'brief'],
    ['stop', 's1'],
    ['crash', 's1'],
    ['hasRulesFile', 's1'],
    ['deleteRulesFile', 's1'],
    ['writeRulesFile', 's1', 'text'],
    ['discard', 's1'],
  ])
})

test('a server is driven from another thread through its whole life cycle', async () => {
  const driver = createEmbeddedDriver()
  onTestFinished(() => driver.discardAll())
  const remote = reachDriver(offered(driver))
  const prepared = await remote.prepare(settings)
  const { id, url } = prepared
  expect(await remote.start(id, 'ready')).toBe(true)
  expect((await fetch(`${url}/api/status`)).status).toBe(401)
  await remote.writeRulesFile(id, 'no rules')
  expect(await remote.hasRulesFile(id)).toBe(true)
  await remote.crash(id)
  await expect(fetch(`${url}/api/status`)).rejects.toThrow()
  await remote.discard(id)
})

test('an error of the driver is thrown in the other thread', async () => {
  const { driver } = listening()
  const failing = { ...driver, start: () => Promise.reject(new DriverFailed('the command could not be started')) }
  const remote = reachDriver(offered(failing))
  await expect(remote.start('s1', 'ready')).rejects.toThrow('the command could not be started')
})

test.for([
  new StepFailed('--hook-stop failed'),
  new PortTaken('port 5000 is used by another program'),
  new StepSkipped('a person left it out'),
  new StepSkipped('a person left out all of them', true),
  new ConcurrentEdit('somebody else changed the list', ['missing: 1>2', 'added: 3>4']),
])('an error with more meaning than a failed step keeps its class and data: $message', async (error) => {
  const failing = { ...listening().driver, start: () => Promise.reject(error) }
  const afar = await reachDriver(offered(failing))
    .start('s1', 'ready')
    .catch((caught: unknown) => caught)
  expect(afar).toBeInstanceOf(error.constructor)
  expect(afar).toMatchObject({ ...error, message: error.message })
})

test('a step may end after the offer was withdrawn', async () => {
  let finish: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    finish = resolve
  })
  const { driver } = listening()
  const { port, close } = offerDriver({ ...driver, start: () => begun.then(() => true) })
  const remote = reachDriver(port)
  void remote.start('s1', 'ready')
  await remote.hasRulesFile('s1')
  close()
  finish()
  await begun
})

test('calls reach only the driver of their port', async () => {
  const [one, other] = [listening(), listening()]
  const [reachOne, reachOther] = [reachDriver(offered(one.driver)), reachDriver(offered(other.driver))]
  await Promise.all([reachOne.stop('a'), reachOther.stop('b')])
  expect([one.calls, other.calls]).toEqual([[['stop', 'a']], [['stop', 'b']]])
})

test('another thread reaches the driver through its port', async () => {
  const { calls, driver } = listening()
  const port = offered(driver)
  // The thread sends the same messages as `reachDriver`, which it cannot load since it is TypeScript.
  const worker = new Worker(
    `const { MessageChannel, parentPort, workerData } = require('node:worker_threads')
     const { port1, port2 } = new MessageChannel()
     workerData.port.postMessage({ step: 'hasRulesFile', given: ['s7'], replyTo: port2 }, [port2])
     port1.once('message', ({ result }) => parentPort.postMessage(result))`,
    { eval: true, workerData: { port }, transferList: [port] },
  )
  const said = await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  expect(said).toBe(true)
  expect(calls).toEqual([['hasRulesFile', 's7']])
})
