import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiKey, product } from '../product.ts'
import type { Measurement, Reading } from '../row.ts'

const most = 500
const few = 50
const servers = fileURLToPath(new URL('../fleet-servers.mjs', import.meta.url))
const peakMemory = fileURLToPath(new URL('../peak-memory.mjs', import.meta.url))

/** A fleet of many installs and one of few: seconds per install, and the peak memory of the command itself. */
export const fleet: Measurement = {
  rounds: 1,
  warmUp: false,
  open: async (workspace) => {
    const urls = workspace.path('urls')
    await workspace.serve((port) => ({ command: process.execPath, args: [servers, `${port}`, `${most}`, urls] }))
    const targets = readFileSync(urls, 'utf8').split('\n')
    const judge = async (count: number): Promise<Reading> => {
      const entries = targets
        .slice(0, count)
        .map((target, at) => ({ name: `install-${at}`, target, keyVariable: 'KEY' }))
      const file = workspace.write(`targets-${count}.json`, JSON.stringify({ targets: entries }))
      const peak = workspace.path('peak')
      const { args, command } = product('fleet', file, '--concurrency', '8', '--out', workspace.path(`fleet-${count}`))
      const env = { KEY: apiKey, PEAK_MEMORY: peak }
      const { seconds } = await workspace.run({ command, args: ['--import', peakMemory, ...args], env })
      return { seconds: seconds / count, bytes: Number(readFileSync(peak, 'utf8')) }
    }
    return { product: () => judge(most), limit: () => judge(few) }
  },
}
