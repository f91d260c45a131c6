import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { limit, product } from '../product.ts'
import type { Measurement } from '../row.ts'
import { recordRun } from './run.ts'

const threads = 2
const counter = fileURLToPath(new URL('../limits/count-requests.mjs', import.meta.url))

/**
 * A defect of each API against every check, and the same number of exchanges in a bare loop on the same number of
 * threads.
 */
export const selftest: Measurement = {
  rounds: 5,
  warmUp: false,
  open: async (workspace) => {
    const archive = await recordRun(workspace, [])
    const sample = ['--sample', '1', '--profiles', '0', '--seed', '1', '--jobs', `${threads}`]
    const program = product('selftest', ...sample, '--out', workspace.path('selftest'))
    const requests = workspace.path('requests')
    await workspace.run({ ...program, env: { REQUESTS: requests, NODE_OPTIONS: `--import=${counter}` } })
    const share = Math.ceil(statSync(requests).size / threads)
    return {
      product: async () => ({ seconds: (await workspace.run(program)).seconds }),
      limit: async () => {
        const replays = Array.from({ length: threads }, () => workspace.run(limit('replay.mjs', archive, share)))
        const ended = await Promise.all(replays)
        return { seconds: Math.max(...ended.map(({ seconds }) => seconds)), requests: share * threads }
      },
    }
  },
}
