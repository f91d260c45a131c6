import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request as send } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { testSize } from '../../fixtures/test-size.ts'
import { emptyFolder } from '../command.ts'

const seconds = testSize(15, 600)
const samples = 30
/** Until then the journal fills up and Node.js compiles code. */
const warmUp = 12
/** After 15 seconds on a busy machine, the process may still be growing to its usual size. */
const maxGrowthMb = { heapUsed: 1, rss: testSize(64, 16) }
const key = 'key-of-the-soak'

interface State {
  readonly heapUsed: number
  readonly rss: number
  readonly faults: number
  /** The followers of the rules, in order. */
  readonly followers: readonly number[]
}

/** The status and the content of the body; null for a broken response. */
function call(
  url: string,
  method: string,
  body: string | null = null,
): Promise<{ status: number; body: string } | null> {
  return new Promise((resolve) => {
    const headers = { 'X-API-Key': key, ...(body !== null && { 'Content-Type': 'application/json' }) }
    const request = send(url, { method, headers, agent: false }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, body: text })
    })
    request.on('error', () => resolve(null)).end(body)
  })
}

/** The growth over all samples, by linear regression. */
function growthMb(values: readonly number[]): number {
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
  const middle = (values.length - 1) / 2
  const average = mean(values)
  const slope =
    mean(values.map((value, at) => (at - middle) * (value - average))) / mean(values.map((_, at) => (at - middle) ** 2))
  return (slope * values.length) / 2 ** 20
}

test('under mixed load with faults no rule is lost, no other error occurs, and memory does not grow', {
  timeout: seconds * 1_000 + 120_000,
}, async () => {
  const path = fileURLToPath(new URL('../soak-server.mjs', import.meta.url))
  const server = fork(path, [key, emptyFolder()], { execArgv: ['--expose-gc'] })
  onTestFinished(() => void server.kill())
  const crashed = once(server, 'exit').then(() => {
    throw new Error('the simulator ended')
  })
  const message = async () => (await Promise.race([once(server, 'message'), crashed]))[0]
  const url = (await message()) as string
  const look = async () => {
    server.send('look')
    return (await message()) as State
  }

  const end = performance.now() + seconds * 1_000
  let errors = 0
  let requests = 0
  const counted = async (...given: Parameters<typeof call>) => {
    requests += 1
    const response = await call(...given)
    if (response === null || response.status >= 300) errors += 1
    return response
  }
  const read = async () => {
    while (performance.now() < end) await counted(`${url}/api/${requests % 2 === 0 ? 'rules' : 'status'}`, 'GET')
  }
  // A single writer, which knows the list. A fault rejects a request before the plugin sees it.
  const list: number[] = []
  const write = async () => {
    for (let follower = 1_000; performance.now() < end; follower += 1) {
      const rule = { master: 1, follower, mode: 'mult', value: 1, direction: 'same' }
      if ((await counted(`${url}/api/rules`, 'POST', JSON.stringify(rule)))?.status === 201) list.push(follower)
      if (list.length < 100) continue
      const index = follower % list.length
      if ((await counted(`${url}/api/rules/${index}`, 'DELETE'))?.status === 200) list.splice(index, 1)
    }
  }
  const states: State[] = []
  const watch = async () => {
    for (let place = 1; place <= samples; place += 1) {
      const due = end - ((samples - place) * seconds * 1_000) / samples
      while (performance.now() < due) await counted(`${url}/api/status`, 'GET')
      states.push(await look())
    }
  }
  await Promise.all([read(), read(), write(), watch()])

  const { followers, faults } = await look()
  expect(followers).toEqual(list)
  expect(requests).toBeGreaterThan(20 * seconds)
  expect(faults).toBeGreaterThan(0)
  expect(errors).toBe(faults)
  const measured = states.slice(warmUp)
  const growth = {
    heapUsed: growthMb(measured.map(({ heapUsed }) => heapUsed)),
    rss: growthMb(measured.map(({ rss }) => rss)),
  }
  process.stdout.write(`${requests} requests, ${faults} faults, growth in MB: ${JSON.stringify(growth)}\n`)
  expect(growth.heapUsed).toBeLessThan(maxGrowthMb.heapUsed)
  expect(growth.rss).toBeLessThan(maxGrowthMb.rss)
})
