// Writes which checks catch which defect, and with which failure code, for the line at the end of a run that says what its scope can notice.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const file = join(root, 'cli/run/known-faults.json')
const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-known-faults-'))
try {
  const flags = ['--quick', '--profiles', '0', '--seed', '1', '--out', folder]
  // A violated law is reported, and keeps no defect from being listed.
  const { status } = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), 'selftest', ...flags], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
  const { apis } = JSON.parse(readFileSync(join(folder, 'selftest.json'), 'utf8'))
  const lines = apis.map(({ name, defects }) => {
    const rows = defects.map(({ id, failures }) => `    ${JSON.stringify(id)}: ${inline(failures)}`)
    return `  ${JSON.stringify(name)}: {\n${rows.join(',\n')}\n  }`
  })
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function inline(items) {
  return `[${items.map((item) => JSON.stringify(item)).join(', ')}]`
}
