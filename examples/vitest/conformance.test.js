import { createSimulator } from 'copytrade-tck'
import { describePluginConformance } from 'copytrade-tck/vitest'
import { afterAll, beforeAll } from 'vitest'

// Start your own server here instead of the simulator, or pass `exec` the command that starts it.
const server = createSimulator({ port: 0, apiKey: 'k' })
beforeAll(() => server.start())
afterAll(() => server.stop())

describePluginConformance({
  url: () => server.url,
  apiKey: 'k',
  risk: 'write',
  only: ['plugin.list.*', 'plugin.delete.keeps-order'],
})
