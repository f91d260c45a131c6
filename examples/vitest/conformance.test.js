import { createSimulator } from 'copytrade-tck'
import { describePluginConformance } from 'copytrade-tck/vitest'
import { afterAll, beforeAll } from 'vitest'

// In place of this simulator start the server that you write, or give `exec` a command that does.
const server = createSimulator({ port: 0, apiKey: 'k' })
beforeAll(() => server.start())
afterAll(() => server.stop())

describePluginConformance({
  url: () => server.url,
  apiKey: 'k',
  risk: 'write',
  only: ['plugin.list.*', 'plugin.delete.keeps-order'],
})
