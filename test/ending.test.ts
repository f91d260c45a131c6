import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { seed, someOf } from '../fixtures/test-size.ts'
import type { Report } from '../reports/report.ts'
import { isAlive } from '../suites/safety/process-alive.ts'
import { command, type Ended, emptyFolder, main, type Running, start } from './command.ts'
import { liveKey, startLiveServer } from './live-server.ts'
import { type SupervisedServer, startSupervised, supervisedKey } from './supervised-server.ts'

const hooks = ['stop', 'start', 'set-parameters', 'delete-rules-file'] as const

/** A run on a server with foreign rules. */
interface RunUnderTest {
  readonly folder: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Resolves in the middle of the run. */
  readonly middle: () => Promise<unknown>
  readonly expectAsBefore: () => Promise<void>
}

async function plainRun(): Promise<RunUnderTest> {
  const server = await startLiveServer(20)
  const before = server.rules()
  const reached = new Promise<void>((resolve) => server.afterWrites(40, resolve))
  return {
    ...{ folder: emptyFolder(), env: { TCK_API_KEY: liveKey, TMPDIR: emptyFolder() }, middle: () => reached },
    args: ['run', '--target', server.url, '--risk', 'write', '--only', 'plugin.delete.*'],
    expectAsBefore: async () => expect(server.rules()).toEqual(before),
  }
}

async function hookRun(): Promise<RunUnderTest> {
  const server = await startSupervised()
  const list = await server.list()
  const folder = emptyFolder()
  return {
    ...{ folder, env: { TCK_API_KEY: supervisedKey, TMPDIR: emptyFolder() }, args: hookArgs(server) },
    middle: () => until(() => ledgerLines(folder).some((line) => /"steps":.*delete-rules-file/.test(line))),
    async expectAsBefore() {
      expect(await server.list()).toBe(list)
      expect(server.parameters()).toEqual(JSON.parse(readFileSync(server.before, 'utf8')))
    },
  }
}

function hookArgs(server: SupervisedServer): readonly string[] {
  // A closed output is noticed at the end of the first check, when the second may have started.
  const chosen = ['CT-622', 'CT-630', 'CT-632'].flatMap((id) => ['--only', id])
  const common = ['--target', server.url, '--risk', 'exclusive', '--parameters', server.before, '--seed', '5']
  return ['run', ...common, ...hooks.flatMap((step) => server.hook(step)), ...chosen]
}

function ledgerLines(folder: string): readonly string[] {
  const file = ledgerIn(folder)
  return file === null ? [] : readFileSync(join(folder, file), 'utf8').trim().split('\n')
}

function ledgerIn(folder: string): string | null {
  if (!existsSync(join(folder, 'tck-report'))) return null
  const name = readdirSync(join(folder, 'tck-report')).find((file) => file.startsWith('ledger-'))
  return name === undefined ? null : join('tck-report', name)
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(5)
}

/** Starts a run, and waits until its middle. */
async function startToMiddle({ args, env, folder, middle }: RunUnderTest, more: Readonly<Record<string, string>> = {}) {
  const running = start(args, { env: { ...env, ...more }, cwd: folder })
  await Promise.race([middle(), unlessEnded(running)])
  return running
}

/** Rejects if the command ends. */
async function unlessEnded({ ended }: Running): Promise<never> {
  const { code, stdout, stderr } = await ended
  throw new Error(`the command ended with ${code} before it was stopped:\n${stdout}${stderr}`)
}

/** What must be true after each way of ending. */
async function expectCleanedUp({ folder, env, expectAsBefore }: RunUnderTest, reason: RegExp): Promise<void> {
  await expectAsBefore()
  expect(ledgerLines(folder).at(-1)).toBe('{"event":"closed"}')
  expect(readdirSync(env.TMPDIR ?? '')).toEqual([])
  const report = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
  expect(report.harm).toMatchObject({ restored: true })
  const checks = report.requirements.flatMap((requirement) => requirement.checks)
  expect(checks.filter(({ message }) => reason.test(message ?? ''))).not.toEqual([])
  expect(checks.find(({ id }) => id === 'CT-535')?.status).toBe('out-of-scope')
  for (const file of ['report.html', 'junit.xml', 'summary.md']) {
    expect(existsSync(join(folder, 'tck-report', file)), file).toBe(true)
  }
}

/** Runs a shell pipeline that starts with the command. Returns the exit code of the command. */
async function piped(args: readonly string[], into: string, { env = {}, folder = emptyFolder() } = {}): Promise<Ended> {
  const script = `"$@" | ${into}; exit "\${PIPESTATUS[0]}"`
  const child = spawn('bash', ['-c', script, 'bash', process.execPath, main, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

test.for([
  ['--help'],
  ['requirements'],
  ['defects', '--json'],
  ['openapi', 'plugin'],
  ['run', '--plan', '--only', 'plugin.status.*'],
])('%j piped into a closed reader: exit 0, and no error', async (args) => {
  expect(await piped(args, 'true')).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('a command that fails keeps its own exit code when its output is closed', async () => {
  expect(await piped(['run', '--target', 'nonsense'], 'true')).toMatchObject({ code: 2 })
  expect(await piped(['run', '--unknown'], 'true 2>&1')).toMatchObject({ code: 2 })
})

const kinds = [
  ['a plain run', plainRun],
  ['a run with hooks', hookRun],
] as const

function inEach<Way>(ways: readonly Way[]) {
  return kinds.flatMap(([kind, begin]) => ways.map((way) => ({ kind, begin, way })))
}

const closedOutput = /interrupted before this check: the output was closed/

test.for(kinds)('%s into `head -3` stops, cleans up, and exits with 3', async ([, begin]) => {
  const run = await begin()
  const { code, stdout, stderr } = await piped(run.args, 'head -3', run)
  expect(stdout.trim().split('\n')).toHaveLength(3)
  expect(stderr).not.toMatch(/Internal error|EPIPE| at /)
  expect(code).toBe(3)
  await expectCleanedUp(run, closedOutput)
})

/** What ends a run early, and how the report says so. */
const endings = [
  ['closed stdout', ({ child }: Running) => child.stdout?.destroy(), closedOutput],
  ['SIGHUP', ({ child }: Running) => child.kill('SIGHUP'), /interrupted before this check: SIGHUP/],
  [
    'SIGHUP and a terminal that is gone',
    ({ child }: Running) => {
      child.stdout?.destroy()
      child.stderr?.destroy()
      child.kill('SIGHUP')
    },
    /interrupted before this check: (SIGHUP|the output was closed)/,
  ],
] as const

test.for(someOf(inEach(endings), 3))(
  `$way.0 in $kind: it stops, cleans up, and exits with 3 (TCK_SEED=${seed})`,
  async ({ begin, way: [, end, reason] }) => {
    const run = await begin()
    const running = await startToMiddle(run)
    end(running)
    const { code, stderr } = await running.ended
    expect(stderr).not.toMatch(/Internal error|EPIPE/)
    expect(code).toBe(3)
    await expectCleanedUp(run, reason)
  },
)

const failures = ['throw new Error("planted")', 'Promise.reject(new Error("planted"))']

test.for(someOf(inEach(failures), 2))(
  `\`$way\` in the main thread in $kind: it stops, cleans up, and exits with 70 (TCK_SEED=${seed})`,
  async ({ begin, way }) => {
    const run = await begin()
    const now = join(run.folder, 'now')
    const trap = join(run.folder, 'trap.cjs')
    writeFileSync(
      trap,
      `const { isMainThread } = require('node:worker_threads'); const { existsSync, rmSync } = require('node:fs')
       const file = ${JSON.stringify(now)}
       if (isMainThread && process.argv[2] === 'run') setInterval(() => { if (existsSync(file)) { rmSync(file); ${way} } }, 5).unref()`,
    )
    const running = await startToMiddle(run, { NODE_OPTIONS: `--require ${trap}` })
    writeFileSync(now, '')
    const { code, stderr } = await running.ended
    expect(stderr).toMatch(/Internal error of the kit[\s\S]*planted/)
    expect(code).toBe(70)
    await expectCleanedUp(run, /interrupted before this check: internal error of the kit: planted/)
  },
)

test('a list that is not as found takes precedence over a closed output: exit 5', async () => {
  const server = await startLiveServer(20, { override: () => ({ removeRule: (list) => list }) })
  const args = ['run', '--target', server.url, '--risk', 'write', '--only', 'plugin.delete.*']
  const { code, stderr } = await piped(args, 'head -3', { env: { TCK_API_KEY: liveKey } })
  expect(code, stderr).toBe(5)
})

test('a second signal ends a run at once, and the command that finishes the clean-up is printed', async () => {
  const running = await startToMiddle(await hookRun())
  running.child.kill('SIGHUP')
  await running.printed(/Stopping after the current check/)
  running.child.kill('SIGTERM')
  const stderr = expect.stringMatching(/^Finish the clean-up: copytrade-tck restore --ledger tck-report\/ledger-\S+$/m)
  expect(await running.ended).toMatchObject({ code: 130, stderr })
})

test('SIGHUP from the shell and from the kernel, which both arrive when a terminal closes, count as one', async () => {
  const run = await plainRun()
  const running = await startToMiddle(run)
  running.child.kill('SIGHUP')
  // Two signals that are pending at the same time become one.
  await delay(50)
  running.child.kill('SIGHUP')
  expect(await running.ended).toMatchObject({ code: 3 })
  await expectCleanedUp(run, /interrupted before this check: SIGHUP/)
})

test('killed while a shell hook runs: the key is only in a private folder, and `restore` removes it', async () => {
  const { run, parametersFile } = await killedInHook()
  const folder = dirname(parametersFile)
  expect(folder).toMatch(/\/tck-report\/ledger-[^/]+\.jsonl\.\d+\.private$/)
  expect(readFileSync(parametersFile, 'utf8')).toContain('"API_Key"')
  const modes = [folder, parametersFile].map((path) => statSync(path).mode & 0o777)
  expect(modes).toEqual([0o700, 0o600])
  expect(readdirSync(run.env.TMPDIR ?? '')).toEqual([])
  const restored = await command(['restore', '--ledger', ledgerIn(run.folder) ?? ''], { env: run.env, cwd: run.folder })
  expect(restored.code, restored.stderr).toBe(0)
  expect(existsSync(folder)).toBe(false)
  expect(readdirSync(run.env.TMPDIR ?? '')).toEqual([])
  await run.expectAsBefore()
})

test('killed while a shell hook runs: the next run into that folder removes the key', async () => {
  const { run, parametersFile } = await killedInHook()
  const next = await command(['run', '--only', 'plugin.add.created'], { cwd: run.folder })
  expect(next.code, next.stderr).toBe(0)
  expect(existsSync(dirname(parametersFile))).toBe(false)
})

test('the servers that a run has started end with it, even if it is killed, and their folders with the key are removed', async () => {
  const folder = emptyFolder()
  const pids = () =>
    (existsSync(join(folder, 'pids')) ? readFileSync(join(folder, 'pids'), 'utf8').trim() : '').split('\n')
  const server = fileURLToPath(new URL('../fixtures/servers/plain.mjs', import.meta.url))
  const env = { TMPDIR: emptyFolder() }
  const running = start(['run', '--exec', `echo $$ >>${folder}/pids; node ${server} & wait`], { env, cwd: folder })
  await Promise.race([until(() => pids().length > 1), unlessEnded(running)])
  expect(readdirSync(env.TMPDIR)).not.toEqual([])
  running.child.kill('SIGKILL')
  await running.ended
  await until(() => !pids().some((pid) => isAlive(Number(pid))))
  await until(() => readdirSync(env.TMPDIR).length === 0)
})

/** A run that was killed during its first shell hook with parameters; that hook has ended since. */
async function killedInHook() {
  const server = await startSupervised()
  const list = await server.list()
  const folder = emptyFolder()
  const seen = join(server.folder, 'seen')
  // It hangs only the first time: `restore` runs it again.
  const hanging = `test -e ${seen} || { echo "$TCK_PARAMETERS" >${seen}.new; mv ${seen}.new ${seen}; sleep 1; }; ${server.commandOf('set-parameters')}`
  const env = { TCK_API_KEY: supervisedKey, TMPDIR: emptyFolder() }
  const running = start([...hookArgs(server), ...server.hook('set-parameters', hanging)], { env, cwd: folder })
  await Promise.race([until(() => existsSync(seen)), unlessEnded(running)])
  running.child.kill('SIGKILL')
  await running.ended
  const parametersFile = readFileSync(seen, 'utf8').trim()
  await delay(1_200)
  const run: RunUnderTest = {
    ...{ folder, env, args: [], middle: async () => undefined },
    async expectAsBefore() {
      expect(await server.list()).toBe(list)
      expect(server.parameters()).toEqual(JSON.parse(readFileSync(server.before, 'utf8')))
    },
  }
  return { run, parametersFile }
}
