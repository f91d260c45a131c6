// Writes which checks fail for which defect, and with which failure code. The diagnosis of a run uses this, and so does
// the line about what its scope can notice. The source is a complete self-test, or the selftest.json of an earlier one:
// `npm run known-faults -- tck-selftest/selftest.json`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [given] = process.argv.slice(2)

function selftest() {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-known-faults-'))
  try {
    const flags = ['--seed', '1', '--out', folder]
    // A violated law is reported, but every defect is still listed.
    const { status } = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), 'selftest', ...flags], {
      stdio: 'inherit',
    })
    process.exitCode = status ?? 1
    return readFileSync(join(folder, 'selftest.json'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const { apis, scope } = JSON.parse(given === undefined ? selftest() : readFileSync(given, 'utf8'))
if (scope.quick || scope.only.length > 0) {
  console.error('The self-test was not complete: run it without --quick and --only.')
  process.exit(2)
}
const lines = apis.map(({ name, defects }) => {
  const rows = defects.map(({ id, failures }) => `    ${JSON.stringify(id)}: ${inline(failures)}`)
  return `  ${JSON.stringify(name)}: {\n${rows.join(',\n')}\n  }`
})
writeFileSync(join(root, 'cli/run/known-faults.json'), `{\n${lines.join(',\n')}\n}\n`)

function inline(items) {
  return `[${items.map((item) => JSON.stringify(item)).join(', ')}]`
}
