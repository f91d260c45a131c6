import { delayingProxy } from '../../fixtures/proxies/delaying.ts'
import { apiKey, limit, product, simulator, withKey } from '../product.ts'
import type { Measurement } from '../row.ts'

/** Enough requests to make the start of the process negligible, and few enough for five rounds. */
const someChecks = ['--only', 'plugin.auth.*']
const probes = 50

/** A run at risk write against a server 20 ms away, and the same number of sequential round trips. */
export const highLatency: Measurement = {
  rounds: 5,
  warmUp: false,
  open: async (workspace) => {
    const server = await simulator(workspace, { rules: 3 })
    const proxy = await delayingProxy(server.url, 20)
    workspace.onEnd(proxy.close)
    const run = product('run', '--target', proxy.url, '--api-key', apiKey, '--risk', 'write', '--yes', '--seed', '1')
    return {
      product: async () => {
        const before = proxy.responses()
        const { seconds } = await workspace.run({
          ...run,
          args: [...run.args, ...someChecks, '--out', workspace.path('report')],
        })
        const requests = proxy.responses() - before
        return { seconds, requests }
      },
      limit: async () => {
        const startedAt = performance.now()
        for (let probe = 0; probe < probes; probe += 1) {
          await (await fetch(`${proxy.url}/api/status`, { headers: withKey })).text()
        }
        return { roundTrip: (performance.now() - startedAt) / 1000 / probes }
      },
    }
  },
}

/** A run at risk read on a list with 100,000 foreign rules, and three reads of that list. */
export const manyRules: Measurement = {
  rounds: 5,
  warmUp: false,
  open: async (workspace) => {
    const { url } = await simulator(workspace, { rules: 100_000 })
    const run = product('run', '--target', url, '--api-key', apiKey, '--seed', '1', '--out', workspace.path('report'))
    return {
      product: async () => ({ seconds: (await workspace.run(run)).seconds }),
      limit: async () => ({ seconds: (await workspace.run(limit('reads.mjs', url, apiKey))).seconds }),
    }
  },
}
