import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type Override, type SimulatorOptions } from '../../../../simulator/index.ts'
import type { PluginQuestionId } from '../../../../spec/plugin/questions.ts'
import type { Exchange } from '../../../client/exchange.ts'
import { NoResponse } from '../../../client/response.ts'
import { directTransport } from '../../../client/transport.ts'
import { judge } from '../../../runner/judge.ts'
import { createPluginContext } from '../../../runner/plugin/create-context.ts'
import { unguardedSettings } from '../../../runner/plugin/settings.ts'
import type { Session } from '../../../session/session.ts'
import { pluginObservations } from './observations.ts'
import { answerIn, observeStatus, sendMethod } from './observe.ts'

const sizeLimit = pluginObservations.filter(({ id }) => id === 'CQ-307')

/** Responds to a POST before its body has arrived, and closes the connection at once. */
const earlyServer = `
const { parentPort } = require('node:worker_threads')
const respond = (line, body) => ['HTTP/1.1 ' + line, 'Connection: close', 'Content-Length: ' + body.length, '', body].join('\\r\\n')
require('node:net').createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', (start) => {
    const isPost = start.toString('latin1').startsWith('POST')
    socket.pause()
    socket.write(isPost ? respond('413 Payload Too Large', '{"error":"too long"}') : respond('200 OK', '{"rules":[],"total":0}'))
    socket.destroySoon()
  })
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })`

/** In another thread, so that it races with the client. */
async function startEarlyServer(): Promise<string> {
  const thread = new Worker(earlyServer, { eval: true })
  onTestFinished(() => void thread.terminate())
  const [port] = await once(thread, 'message')
  return `http://127.0.0.1:${port}`
}

function contextOf(url: string, seed = 1) {
  const target = {
    kind: 'url',
    transport: directTransport,
    url,
    key: 'k-for-tests',
    server: null,
    capabilities: [],
    capacity: null,
  } as const
  return createPluginContext(unguardedSettings(target, seed), null)
}

test('the status of a server that responds before it has read a long body is always observed', async () => {
  const context = contextOf(await startEarlyServer())
  const answers: (string | null)[] = []
  for (let run = 0; run < 15; run++) {
    for (const observation of sizeLimit) answers.push((await judge(observation, context)).answer)
  }
  expect(answers).toEqual(answers.map(() => '413'))
})

test('a method without a response in time does not count as a closed connection', async () => {
  const session = {
    key: 'k',
    address: { origin: '', prefix: '', host: 'a' },
    raw: async () => ({ responses: [], end: 'timeout' }),
  }
  const sent = await sendMethod(session as unknown as Session, 'BREW')
  expect(answerIn(sent, { closed: 'closed' })).toMatchObject({ answer: null })
})

test('a timeout does not count as a closed connection', async () => {
  const silence = Object.assign(new Error('timeout'), { code: 'ETIME' })
  const timeout = new NoResponse('no response', {} as Exchange, { cause: silence })
  await expect(observeStatus(Promise.reject(timeout))).rejects.toBe(timeout)
  expect(await observeStatus(Promise.reject(new NoResponse('no response', {} as Exchange)))).toBe('closed')
})

test('a disabled server that accepts connections and never responds gives no answer', async () => {
  const silence = Object.assign(new Error('timeout'), { code: 'ETIME' })
  const server = {
    address: { origin: '', prefix: '', host: 'a' },
    plugin: { status: () => Promise.reject(new NoResponse('no response', {} as Exchange, { cause: silence })) },
    raw: async () => ({ responses: [], end: 'timeout' }),
    tryStart: async () => false,
  }
  const observation = pluginObservations.find(({ id }) => id === 'CQ-108')
  const observed = observation?.run({ prepare: async () => server } as unknown as Session)
  expect(await observed).toEqual({ answer: null, seen: 'no response in time' })
})

/** The answers to a question that a simulator gives to runs with different seeds. */
async function answersOf(options: SimulatorOptions, question: PluginQuestionId, seeds: number) {
  const simulator = createSimulator({ port: 0, apiKey: 'k-for-tests', ...options })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const answers = new Set<string | null>()
  for (let seed = 1; seed <= seeds; seed++) {
    for (const observation of pluginObservations.filter((one) => one.question === question)) {
      const { status, answer } = await judge(observation, contextOf(simulator.url, seed))
      answers.add(status === 'passed' ? answer : status)
    }
  }
  return [...answers]
}

test.for(['master', 'follower', 'value'] as const)(
  'a list that is sorted by %s has no place for new rules',
  async (field) => {
    const override: Override = () => ({
      addRule: (before, rule) => {
        const rules = [...before, rule].toSorted((one, other) => (one[field] < other[field] ? -1 : 1))
        return { rules, position: rules.indexOf(rule) }
      },
    })
    expect(await answersOf({ override }, 'plugin.add.position', 10)).toEqual([null])
  },
)

const negative = { 'plugin.login.negative': 'accepted' } as const

test.for<[PluginQuestionId, SimulatorOptions]>([
  [
    'plugin.login.negative',
    { profile: negative, override: () => ({ fitLogin: (_, login) => (login < 0n ? -login : login) }) },
  ],
  ['plugin.value.smallest', { override: () => ({ fitValue: (value) => Math.max(value, 0.01) }) }],
  ['plugin.value.largest', { override: () => ({ fitValue: (value) => Math.min(value, 1e6) }) }],
])('%s has no answer if the number is stored as another one', async ([question, options]) => {
  expect(await answersOf(options, question, 1)).toEqual([null])
})
