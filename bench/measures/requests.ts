import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiKey, product, simulator } from '../product.ts'
import type { Measurement } from '../row.ts'

const imported = (name: string) => `--import=${fileURLToPath(new URL(`../limits/${name}`, import.meta.url))}`

/** How many requests a server with 12 foreign rules gets at risk write, by purpose; raw bytes are the rest. */
export const requests: Measurement = {
  rounds: 2,
  warmUp: false,
  open: async (workspace) => ({
    product: async () => {
      const [received, sent] = [workspace.path('received'), workspace.path('sent')]
      for (const file of ['received', 'sent']) workspace.write(file, '')
      const counting = { REQUESTS: received, NODE_OPTIONS: imported('count-requests.mjs') }
      const { url, stop } = await simulator(workspace, { rules: 12, env: counting })
      const run = product('run', '--target', url, '--api-key', apiKey, '--risk', 'write', '--yes', '--seed', '1')
      await workspace.run({
        ...run,
        args: [...run.args, '--out', workspace.path('report')],
        env: { CLASSES: sent, NODE_OPTIONS: imported('count-classes.mjs') },
      })
      await stop()
      const names = readFileSync(sent, 'utf8').split('\n')
      const count = (name: string) => names.filter((other) => other === name).length
      const classes = ['before', 'after', 'arrange', 'act', 'cleanUp', 'other'].map((name) => [name, count(name)])
      return { requests: statSync(received).size, ...Object.fromEntries(classes) }
    },
  }),
}
