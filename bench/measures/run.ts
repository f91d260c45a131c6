import { readdirSync, statSync } from 'node:fs'
import { freePort } from '../../fixtures/free-port.ts'
import { serverCommand } from '../../fixtures/servers/child.ts'
import { limit, product } from '../product.ts'
import type { Measurement } from '../row.ts'
import type { Workplace } from '../workplace.ts'

/** A Python server that logs each start, so that starts can be counted. */
const noted = 'echo >>"$STARTS"; exec "$@"'

/** Measures a run with `--exec` against replaying its exchanges and server starts without the kit, two starts at a time. */
export const exec: Measurement = {
  rounds: 5,
  warmUp: false,
  open: async (workplace) => {
    const server = serverCommand('threaded')
    const script = workplace.write('start.sh', noted)
    const command = ['sh', script, ...server].join(' ')
    const starts = workplace.path('starts')
    const env = { STARTS: starts }
    const archive = await recordRun(workplace, ['--exec', command], env)
    const count = statSync(starts).size
    return {
      product: async () => timed(workplace, { ...kitRun(workplace, '--exec', command), env }),
      limit: async () => timed(workplace, limit('starts.mjs', archive, count, await freePort(), ...server)),
    }
  },
}

/** A run of the embedded simulators, and the same exchanges in a bare loop; also the size of its report. */
export const embedded: Measurement = {
  rounds: 5,
  warmUp: false,
  open: async (workplace) => {
    const archive = await recordRun(workplace, [])
    return {
      product: async () => {
        const reading = await timed(workplace, kitRun(workplace))
        return { ...reading, bytes: sizeOfFiles(workplace.path('report')) }
      },
      limit: async () => timed(workplace, limit('replay.mjs', archive)),
    }
  },
}

const kitRun = (workplace: Workplace, ...args: readonly string[]) =>
  product('run', '--out', workplace.path('report'), '--seed', '1', ...args)

async function timed(workplace: Workplace, program: Parameters<Workplace['run']>[0]): Promise<{ seconds: number }> {
  return { seconds: (await workplace.run(program)).seconds }
}

/** Runs the kit once without measuring, with every exchange in the report. */
export async function recordRun(
  workplace: Workplace,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const out = workplace.path('recorded')
  await workplace.run({ ...product('run', '--out', out, '--seed', '1', '--evidence', 'all', ...args), env })
  return `${out}/exchanges.har`
}

const sizeOfFiles = (folder: string) =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(`${folder}/${name}`).size, 0)
