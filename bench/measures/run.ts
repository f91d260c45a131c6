import { readdirSync, statSync } from 'node:fs'
import { freePort } from '../../fixtures/free-port.ts'
import { serverCommand } from '../../fixtures/servers/child.ts'
import { limit, product } from '../product.ts'
import type { Measurement } from '../row.ts'
import type { Workspace } from '../workspace.ts'

/** A Python server that logs each start, so that starts can be counted. */
const noted = 'echo >>"$STARTS"; exec "$@"'

/** Measures a run with `--exec` against replaying its exchanges and server starts without the kit, two starts at a time. */
export const exec: Measurement = {
  rounds: 5,
  warmUp: false,
  open: async (workspace) => {
    const server = serverCommand('threaded')
    const script = workspace.write('start.sh', noted)
    const command = ['sh', script, ...server].join(' ')
    const starts = workspace.path('starts')
    const env = { STARTS: starts }
    const archive = await recordRun(workspace, ['--exec', command], env)
    const count = statSync(starts).size
    return {
      product: async () => timed(workspace, { ...kitRun(workspace, '--exec', command), env }),
      limit: async () => timed(workspace, limit('starts.mjs', archive, count, await freePort(), ...server)),
    }
  },
}

/** A run of the embedded simulators, and the same exchanges in a bare loop; also the size of its report. */
export const embedded: Measurement = {
  rounds: 5,
  warmUp: false,
  open: async (workspace) => {
    const archive = await recordRun(workspace, [])
    return {
      product: async () => {
        const reading = await timed(workspace, kitRun(workspace))
        return { ...reading, bytes: sizeOfFiles(workspace.path('report')) }
      },
      limit: async () => timed(workspace, limit('replay.mjs', archive)),
    }
  },
}

const kitRun = (workspace: Workspace, ...args: readonly string[]) =>
  product('run', '--out', workspace.path('report'), '--seed', '1', ...args)

async function timed(workspace: Workspace, program: Parameters<Workspace['run']>[0]): Promise<{ seconds: number }> {
  return { seconds: (await workspace.run(program)).seconds }
}

/** Runs the kit once without measuring, with every exchange in the report. */
export async function recordRun(
  workspace: Workspace,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const out = workspace.path('recorded')
  await workspace.run({ ...product('run', '--out', out, '--seed', '1', '--evidence', 'all', ...args), env })
  return `${out}/exchanges.har`
}

const sizeOfFiles = (folder: string) =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(`${folder}/${name}`).size, 0)
