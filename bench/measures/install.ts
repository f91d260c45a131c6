import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { root } from '../product.ts'
import type { Measurement } from '../row.ts'

/** The package as it would be published, installed into an empty folder: its size on disk and the number of packages. */
export const installed: Measurement = {
  rounds: 1,
  warmUp: false,
  open: async (workspace) => ({
    product: async () => {
      const npm = (...args: readonly string[]) => workspace.run({ command: 'npm', args })
      await npm('pack', root, '--ignore-scripts', '--silent', '--pack-destination', workspace.path('.'))
      const [archive] = readdirSync(workspace.path('.')).filter((name) => name.endsWith('.tgz'))
      mkdirSync(workspace.path('empty'))
      const prefix = workspace.path('empty')
      await npm('install', '--no-audit', '--no-fund', '--silent', '--prefix', prefix, workspace.path(archive ?? ''))
      const lock = JSON.parse(readFileSync(`${prefix}/node_modules/.package-lock.json`, 'utf8'))
      return { bytes: bytesOnDisk(prefix), packages: Object.keys(lock.packages).length }
    },
  }),
}

/** Counts like `du`. */
function bytesOnDisk(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return entries.reduce((sum, entry) => sum + lstatSync(`${folder}/${entry}`).blocks * 512, 0)
}
