import { simulatorTransport } from '../../../suites/client/transport.ts'
import { publicCopySyntax } from '../../../suites/model/copy-syntax.ts'
import type { PluginSettings } from '../../../suites/runner/plugin/settings.ts'
import type { SimulatedApi } from '../api.ts'

/** The initial rules, so that the list is not empty. */
const copy = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.01,reverse' }

const capacity = 50

export const rulesOfSimulator = Object.keys(copy).length

/** The number of rules that fill the list. */
export const roomOfSimulator = capacity - rulesOfSimulator

/** Starts a simulator in this process that replaces a plugin in a dry run. */
export async function simulatePlugin(settings: PluginSettings): Promise<SimulatedApi> {
  const { createEmbeddedDriver } = await import('../../../suites/targets/embedded.ts')
  const driver = createEmbeddedDriver({ capacity })
  const parameters = { API_Key: settings.target.key, ...copy }
  const { id: server, url } = await driver.prepare({ parameters, port: 'given', capacity: null })
  await driver.start(server, 'ready')
  const target = { ...settings.target, kind: 'simulator', url, transport: simulatorTransport, server } as const
  const maxFill = Math.min(settings.maxFill, capacity)
  const known = { target, maxFill, copySyntax: publicCopySyntax, maxRequestsPerSecond: null, safety: null }
  const simulated: PluginSettings = { ...settings, ...known }
  return { settings: simulated, driver, stop: () => driver.discardAll() }
}
