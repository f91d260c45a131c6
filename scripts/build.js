// Compiles the product to dist/ and copies what the compiler does not.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const path = (name) => `${root}${name}`

rmSync(path('dist'), { recursive: true, force: true })
const { status } = spawnSync(
  process.execPath,
  [path('node_modules/typescript/bin/tsc'), '-p', path('tsconfig.build.json')],
  {
    stdio: 'inherit',
  },
)
if (status !== 0) process.exit(status ?? 1)
cpSync(path('reports/report.schema.json'), path('dist/reports/report.schema.json'))
chmodSync(path('dist/cli/main.js'), 0o755)
