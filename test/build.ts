import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const built = globalThis as { isBuilt?: true }

/** The command line is tested as it is shipped: compiled, once for all projects. */
export function setup(): void {
  if (built.isBuilt) return
  execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.js', import.meta.url))], { stdio: 'inherit' })
  built.isBuilt = true
}
