import { fileURLToPath } from 'node:url'
import type { Measurement } from '../row.ts'

const program = fileURLToPath(new URL('write-report.ts', import.meta.url))
const tsx = fileURLToPath(new URL('../node_modules/.bin/tsx', import.meta.url))

/** Every file of a report with 300 requirements and 3,000 exchanges, and their bytes; each time in a new process. */
export const writing: Measurement = {
  rounds: 5,
  warmUp: false,
  open: async (workplace) => {
    const write = async (...args: readonly string[]) =>
      JSON.parse((await workplace.run({ command: tsx, args: [program, ...args] })).stdout)
    await write('report', workplace.path('report'))
    return {
      product: () => write('report', workplace.path('report')),
      limit: () => write('bytes', workplace.path('report')),
    }
  },
}
