// Writes how many writes each check sends to a running server, for the consent to a run and for the maximum that it may
// send. The numbers come from dry runs against the simulator with everything in scope. The first argument names another
// output file; the others are options of the runs, such as `--only <glob>`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [file = join(root, 'cli/target/plugin/usual-writes.json'), ...options] = process.argv.slice(2)

const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-usual-writes-'))
try {
  const hooks = everyHook()
  // If a check is in scope more than once, the last number counts.
  const writes = [...planned('run', '--capacity', '50', ...hooks), ...planned('run', ...hooks), ...planned('probe')]
  const rows = [...new Map(writes)].sort(([one], [other]) => one.localeCompare(other))
  const lines = rows.map(([id, count]) => `  ${JSON.stringify(id)}: ${count}`)
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The checks in scope, each with its number. */
function planned(command, ...more) {
  const inScope = planOf(command, ...options, ...more).checks.filter(({ outOfScope }) => outOfScope === null)
  // In a run, checks that fill the list share one fill. Alone, each needs its own.
  return inScope.map(({ id, writes, fills }) => [id, fills ? planOf(command, '--only', id, ...more).writes : writes])
}

/** Nothing listens at the address, and nothing is sent to it. */
function planOf(command, ...more) {
  const target = ['--target', 'http://127.0.0.1:9', '--api-key', 'any', '--risk', 'exclusive', '--seed', '1']
  const args = [join(root, 'dist/cli/main.js'), command, ...target, '--plan=json', ...more]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }))
}

function everyHook() {
  const parameters = join(folder, 'parameters.json')
  writeFileSync(parameters, JSON.stringify({ API_Key: 'any' }))
  const hooks = ['restart', 'stop', 'start', 'set-parameters', 'delete-rules-file']
  return ['--parameters', parameters, ...hooks.flatMap((hook) => [`--hook-${hook}`, 'true'])]
}
