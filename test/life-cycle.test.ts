import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import { expect, onTestFinished, test } from 'vitest'
import { seed, testSize } from '../fixtures/test-size.ts'
import type { Report, ReportedCheck } from '../reports/report.ts'
import { command, emptyFolder, start } from './command.ts'
import { plain, type SupervisedServer, startSupervised, supervisedKey } from './supervised-server.ts'

const env = { TCK_API_KEY: supervisedKey }

const kills = testSize(1, 100)

const resetsOnly = ['--only', 'CT-601', '--only', 'CT-622', '--only', 'CT-630', '--only', 'CT-741']
/** The first deletes the rules file immediately; if the run is interrupted then, the second does not run. */
const twoResets = ['--only', 'CT-622', '--only', 'CT-630']

function allHooks({ hook }: SupervisedServer): readonly string[] {
  return (['stop', 'start', 'set-parameters', 'delete-rules-file'] as const).flatMap((step) => hook(step))
}

function runArgs(server: SupervisedServer, hooks: readonly string[]): readonly string[] {
  return ['run', '--target', server.url, '--risk', 'exclusive', '--parameters', server.before, '--seed', '5', ...hooks]
}

function checksIn(folder: string): readonly ReportedCheck[] {
  const report = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
  return report.requirements
    .flatMap(({ checks }) => checks)
    .filter(({ message }) => message !== 'not selected by --only or --skip')
}

function ledgerIn(folder: string): string {
  const name = readdirSync(join(folder, 'tck-report')).find((file) => file.startsWith('ledger-'))
  if (name === undefined) throw new Error('there is no ledger')
  return join('tck-report', name)
}

function eventsIn(folder: string): readonly string[] {
  if (!existsSync(join(folder, 'tck-report'))) return []
  const name = readdirSync(join(folder, 'tck-report')).find((file) => file.startsWith('ledger-'))
  if (name === undefined) return []
  return readFileSync(join(folder, 'tck-report', name), 'utf8').split('\n')
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(5)
}

/** What must be true after any kind of run. */
async function expectAsBefore(server: SupervisedServer, list: string, note?: string) {
  expect(await server.list(), note).toBe(list)
  expect(server.parameters(), note).toEqual(JSON.parse(readFileSync(server.before, 'utf8')))
}

test('a server that changes a foreign rule at a restart is not conformant, and no other client is blamed', async () => {
  const damage = 'sed s/reverse/same/ ServiceCopyTrade_rules.dat >damaged && mv damaged ServiceCopyTrade_rules.dat'
  const server = await startSupervised(onTestFinished, `sh -c '${damage}; exec "$0" "$@"' ${plain}`)
  const folder = emptyFolder()
  const args = [...runArgs(server, allHooks(server)), '--only', 'CT-601']
  const { code, stdout } = await command(args, { env, cwd: folder })
  expect(checksIn(folder).map(({ id, status }) => `${id} ${status}`)).toEqual(['CT-601 failed'])
  expect(code).toBe(5)
  expect(stdout).toContain(
    'missing, removed by a request of the kit or by another client: 3002>4003 fixed 0.25 reverse',
  )
  expect(stdout).toContain('instead of it there is now: 3002>4003 fixed 0.25 same')
  expect(stdout).not.toContain('concurrent edit')
  expect(JSON.parse(await server.list()).total).toBe(6)
})

test('with all shell hooks the life cycle is judged, and list and parameters are exactly as found', async () => {
  const server = await startSupervised()
  const list = await server.list()
  const folder = emptyFolder()
  const ids = ['CT-601', 'CT-622', 'CT-632', 'CT-741', 'CT-743']
  const chosen = ids.flatMap((id) => ['--only', id])
  const { code, stdout } = await command([...runArgs(server, allHooks(server)), ...chosen], { env, cwd: folder })
  const checks = checksIn(folder)
  expect(checks.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual(ids.map((id) => `${id} passed`))
  expect(stdout).toContain('0 of 6 rules changed')
  expect(code).toBe(0)
  const [, stated] = /restarted up to (\d+) times: with 5 s for a restart that takes \d+ (?:s|min)/.exec(stdout) ?? []
  const restarts = eventsIn(folder).filter((line) => /"event":"hook".*"start"/.test(line)).length
  expect(restarts).toBeGreaterThan(3)
  expect(restarts).toBeLessThanOrEqual(Number(stated))
  expect(Number(stated)).toBeLessThanOrEqual(3 * restarts)
  await expectAsBefore(server, list)
  const { scope, target, harm } = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
  expect(scope.capabilities).toEqual(['restart', 'parameters', 'delete-rules-file', 'launch'])
  expect(target.kind).toBe('url')
  expect(harm?.hashAfter).toBe(harm?.hashBefore)
  expect(eventsIn(folder).join('\n') + readFileSync(join(folder, 'tck-report/hooks.log'), 'utf8')).not.toContain(
    supervisedKey,
  )
})

test('with only a restart foreign rules stay in the list, and the remaining checks name the missing hook', async () => {
  const server = await startSupervised()
  const list = await server.list()
  const folder = emptyFolder()
  const args = ['run', '--target', server.url, '--risk', 'exclusive', ...server.hook('restart'), '--only', 'CT-601']
  const { code } = await command([...args, '--only', 'CT-621', '--only', 'CT-741'], { env, cwd: folder })
  expect(code).toBe(0)
  expect(checksIn(folder).map(({ id, status, message }) => [id, status, message])).toEqual(
    expect.arrayContaining([
      ['CT-601', 'passed', null],
      ['CT-621', 'out-of-scope', expect.stringContaining('`--hook-set-parameters`, `--hook-delete-rules-file`')],
      ['CT-741', 'out-of-scope', expect.stringContaining('--hook-set-parameters')],
    ]),
  )
  await expectAsBefore(server, list)
})

test(`killed at ${kills} random moments of the life cycle, and restored: list and parameters are exactly as before`, {
  timeout: 1_800_000,
}, async () => {
  console.info(`seed ${seed}`)
  const random = xorshift128plus(seed)
  let emptied = 0
  for (let round = 0; round < kills; round += 1) {
    const server = await startSupervised()
    const list = await server.list()
    const folder = emptyFolder()
    const running = start([...runArgs(server, allHooks(server)), ...resetsOnly], { env, cwd: folder })
    const steps = uniformInt(random, 6, 14)
    await until(() => eventsIn(folder).filter((line) => line.includes('"event":"hook"')).length >= steps)
    await delay(uniformInt(random, 0, 300))
    running.child.kill('SIGKILL')
    await running.ended
    if ((await server.list().catch(() => '')) !== list) emptied += 1
    const restored = await command(['restore', '--ledger', ledgerIn(folder)], { env, cwd: folder })
    const note = `round ${round} of seed ${seed}: ${restored.stdout}${restored.stderr}`
    expect(restored.code, note).toBe(0)
    await expectAsBefore(server, list, note)
  }
  // If no kill had left the server changed, the test would show nothing.
  expect(emptied).toBeGreaterThan(0)
})

test('Ctrl-C in the middle of the life cycle: the server is restored before the run ends', async () => {
  const server = await startSupervised()
  const list = await server.list()
  const folder = emptyFolder()
  const running = start([...runArgs(server, allHooks(server)), ...twoResets], { env, cwd: folder })
  await until(() => eventsIn(folder).some((line) => /"steps":.*delete-rules-file/.test(line)))
  running.child.kill('SIGINT')
  const { code, stdout, stderr } = await running.ended
  expect(stdout, `${code} ${stderr}`).toContain('0 of 6 rules changed')
  expect(code).toBe(3)
  await expectAsBefore(server, list)
})

test('a shell hook that fails while the list is removed: exit 5, and restore fixes it with another hook', async () => {
  const server = await startSupervised()
  const list = await server.list()
  const folder = emptyFolder()
  const broken = `test ! -e "${folder}/tck-report/broken" && ${server.commandOf('start')}`
  const running = start([...runArgs(server, allHooks(server)), ...server.hook('start', broken), ...twoResets], {
    env,
    cwd: folder,
  })
  await until(() => eventsIn(folder).some((line) => /"steps":.*delete-rules-file/.test(line)))
  writeFileSync(join(folder, 'tck-report/broken'), '')
  const { code, stdout } = await running.ended
  expect(stdout).toContain('the server could not be restored: --hook-start failed with exit code 1')
  expect(stdout).toContain('copytrade-tck restore --ledger')
  expect(code).toBe(5)
  const restored = await command(['restore', '--ledger', ledgerIn(folder), ...server.hook('start')], {
    env,
    cwd: folder,
  })
  expect(restored.code, restored.stderr).toBe(0)
  await expectAsBefore(server, list)
})
