import { execFile, execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Why containers cannot be tested here; null if they can. */
export function noEngineReason(): string | null {
  try {
    execFileSync('docker', ['version', '--format', '{{.Server.Version}}'], { stdio: 'ignore', timeout: 10_000 })
    return null
  } catch {
    return 'no Docker engine answers: the tests of the container were not run'
  }
}

/** An image of this code. */
export interface BuiltImage extends AsyncDisposable {
  readonly name: string
}

/**
 * The image in the variable TCK_TEST_IMAGE, or else one that is built here, from files of this machine, and removed
 * afterwards: nothing is pulled.
 */
export async function buildImage(): Promise<BuiltImage> {
  const given = process.env.TCK_TEST_IMAGE
  if (given !== undefined) return { name: given, [Symbol.asyncDispose]: async () => undefined }
  const base = `copytrade-tck-base:${process.pid}`
  const name = `copytrade-tck-test:${process.pid}`
  await run(`${root}.ci/base-image`, [base])
  const args = ['build', '--quiet', '--network', 'host', '--build-arg', `NODE_IMAGE=${base}`, '--tag', name, '.']
  await run('docker', args, { cwd: root })
  return {
    name,
    [Symbol.asyncDispose]: async () => {
      await run('docker', ['image', 'rm', '--force', name])
      // The compile stage leaves an untagged image behind.
      await run('docker', ['image', 'prune', '--force', '--filter', `label=copytrade-tck.build=${base}`])
      await run('docker', ['image', 'rm', '--force', base])
    },
  }
}
