// Compiles the product to dist/ and copies what the compiler does not. The old folder stands until
// the new one is complete, so that nobody meets half a build.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const path = (name) => `${root}${name}`
const fresh = path(`dist.${process.pid}`)

const { status } = spawnSync(
  process.execPath,
  [path('node_modules/typescript/bin/tsc'), '-p', path('tsconfig.build.json'), '--outDir', fresh],
  { stdio: 'inherit' },
)
if (status !== 0) {
  rmSync(fresh, { recursive: true, force: true })
  process.exit(status ?? 1)
}
cpSync(path('reports/report.schema.json'), `${fresh}/reports/report.schema.json`)
cpSync(path('simulator/control/server/page'), `${fresh}/simulator/control/server/page`, { recursive: true })
cpSync(path('spec/openapi'), `${fresh}/spec/openapi`, { recursive: true })
chmodSync(`${fresh}/cli/main.js`, 0o755)
rmSync(path('dist'), { recursive: true, force: true })
renameSync(fresh, path('dist'))
