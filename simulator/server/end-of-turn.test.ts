import { Agent } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator } from '../index.ts'
import { key, send } from '../testing/client.ts'

test('requests that arrive in one turn of the event loop are all handled before the first response is sent', async () => {
  const steps: string[] = []
  await using simulator = createSimulator({
    port: 0,
    apiKey: key,
    override: ({ statusBody }) => ({
      statusBody: (given) => {
        steps.push('handled')
        return statusBody(given)
      },
      finish: (response) => {
        steps.push('sent')
        return response
      },
    }),
  })
  await simulator.start()
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const both = () => Promise.all([1, 2].map(() => send(simulator, { path: '/api/status', agent })))
  await both()
  steps.length = 0
  // Both are written to open connections before the server can read either of them.
  await both()
  expect(steps).toEqual(['handled', 'handled', 'sent', 'sent'])
})

test('a simulator responds in a test with fake timers', async () => {
  vi.useFakeTimers({ toFake: ['setImmediate'] })
  try {
    vi.resetModules()
    const { createSimulator } = await import('../index.ts')
    await using simulator = createSimulator({ port: 0, apiKey: key })
    await simulator.start()
    expect((await send(simulator)).status).toBe(200)
  } finally {
    vi.useRealTimers()
  }
})
