import { readFileSync } from 'node:fs'
import { limit, product, simulator } from '../product.ts'
import type { Measurement, Reading } from '../row.ts'
import type { Started } from '../workspace.ts'

/**
 * The time from the start of the process to its first response, and its resident memory at that moment. Processes are
 * ended immediately.
 */
export const coldStart: Measurement = {
  rounds: 9,
  warmUp: true,
  open: async (workspace) => ({
    product: async () => leave(await simulator(workspace, { rules: 0 })),
    limit: async () => leave(await workspace.serve((port) => limit('koa.mjs', port))),
  }),
}

async function leave({ seconds, pid, stop }: Started): Promise<Reading> {
  const bytes = 1024 * Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  await stop()
  return { seconds, bytes }
}

export const help: Measurement = {
  rounds: 9,
  warmUp: true,
  open: async (workspace) => ({
    product: async () => ({ seconds: (await workspace.run(product('--help'))).seconds }),
    limit: async () => ({
      seconds: (await workspace.run({ command: process.execPath, args: ['-e', '0'] })).seconds,
    }),
  }),
}
