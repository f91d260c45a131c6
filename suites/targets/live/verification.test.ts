import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../../simulator/index.ts'
import { clientFor } from '../../client/client.test-data.ts'
import { directTransport } from '../../client/transport.ts'
import { unpaced } from '../../client/wait.ts'
import { createVerification, type ExpectedResult, holdConnection } from './verification.ts'

const key = 'the-live-key'
const rule = { master: 1001, follower: 2001, mode: 'mult', value: 1, direction: 'same' }
const opens: ExpectedResult = { heldConnection: null, key, wait: 'brief', gone: [], copy: 'as-before' }

/** A server with one rule, and its verification. */
async function running() {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key, Copy_1: '1001>2001,mult,1,same' } })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const { url } = simulator
  return { simulator, url, ...createVerification(clientFor(url), { readyMs: 100, briefMs: 100 }) }
}

test('a server that accepts its key and has the expected list is verified', async () => {
  const { verifyDone } = await running()
  const copy = { Copy_1: '1001>2001,mult,1,same' }
  const gone = [{ ...rule, master: 9 }]
  expect(await verifyDone({ ...opens, wait: 'ready', gone, copy })).toEqual({
    answering: true,
    opened: { key, list: [{ index: 0, ...rule }] },
    problem: null,
    mayAccept: false,
  })
})

test.for([
  ['opens with another key', { key: 'another-key' }, 'does not accept the new `API_Key`', false],
  ['still holds a rule of before', { gone: [rule] }, 'the list still holds 1 earlier rules', false],
  ['holds no rule of its parameters', { copy: { Copy_1: '7>8,mult,1,same' } }, 'the rules of the `Copy_N`', true],
] as const)('a server that %s has a problem, and may be at fault or not', async ([, changes, problem, mayAccept]) => {
  const { verifyDone } = await running()
  const result = await verifyDone({ ...opens, wait: 'ready', ...changes })
  expect(result).toMatchObject({ problem: expect.stringContaining(problem), mayAccept })
})

test('a server may reject a key that a check only tries', async () => {
  const { verifyDone } = await running()
  expect(await verifyDone({ ...opens, key: 'a key with blanks' })).toMatchObject({ answering: false, problem: null })
})

test('a server may stay silent only if it need not start', async () => {
  const { simulator, verifyDone } = await running()
  await simulator.stop()
  const silent = { answering: false, opened: null }
  expect(await verifyDone(opens)).toMatchObject({ ...silent, problem: null })
  expect(await verifyDone({ ...opens, wait: 'ready' })).toMatchObject({
    ...silent,
    problem: 'the server was started, but does not answer within 0.1 s; `--hook-timeout` allows a longer time',
  })
})

test('a server that still serves a connection from before was not restarted, and gets no further request', async () => {
  const { url, verifyDone } = await running()
  const heldConnection = await holdConnection(key, { url, transport: directTransport, pace: unpaced })
  onTestFinished(() => heldConnection.release())
  expect(await verifyDone({ ...opens, heldConnection })).toMatchObject({
    answering: null,
    problem: expect.stringContaining('a connection opened before the restart still serves requests'),
  })
})

test('a server that answers was not stopped', async () => {
  const { simulator, isDown } = await running()
  expect(await isDown()).toBe(false)
  await simulator.stop()
  expect(await isDown()).toBe(true)
})
