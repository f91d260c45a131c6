import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePort } from '../fixtures/free-port.ts'
import type { SimulatorOptions } from '../simulator/index.ts'
import { command, type Ended, emptyFolder, main, start } from './command.ts'
import { type LiveServer, liveKey, startLiveServer } from './live-server.ts'
import { atTerminal, startInTerminal } from './terminal.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const plainServer = fileURLToPath(new URL('../fixtures/servers/plain.mjs', import.meta.url))

/** One way to get an exit code of the contract, using the real command. */
interface Way {
  readonly code: number
  readonly when: string
  readonly come: () => Promise<Ended>
  /** The expected output. */
  readonly says: string | RegExp
}

const env = { TCK_API_KEY: liveKey }
const one = ['--only', 'plugin.add.created']
const writing = ['--risk', 'write', ...one]

async function run(args: readonly string[], options: SimulatorOptions = {}, more = env): Promise<Ended> {
  const { url } = await startLiveServer(2, options)
  return command(['run', '--target', url, ...args], { env: more })
}

async function closedAddress(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}

/** The folder of a run on a server that also removes a foreign rule with each removal. */
async function runWithLoss(server: LiveServer): Promise<{ readonly folder: string; readonly ended: Ended }> {
  const folder = emptyFolder()
  const ended = await command(['run', '--target', server.url, ...writing], { env, cwd: folder })
  return { folder, ended }
}

const removesFirstToo: SimulatorOptions = {
  override: ({ removeRule }) => ({ removeRule: (rules, position) => removeRule(rules, position).slice(1) }),
}

/** A full server that makes room by removing the oldest rule. It rejects foreign rules until `accept` is called. */
function evicting(): { readonly options: SimulatorOptions; readonly accept: () => void } {
  let rejects = true
  const override: SimulatorOptions['override'] = ({ isFull, addRule }) => {
    let full = false
    return {
      isFull: (rules, most) => {
        full = isFull(rules, most)
        return false
      },
      addRule(rules, rule) {
        if (rejects && rule.follower < 900_000_000n) throw new Error('rejected')
        return addRule(full ? rules.slice(1) : rules, rule)
      },
    }
  }
  return { options: { capacity: 9, override }, accept: () => (rejects = false) }
}

const removesAlwaysFirst: SimulatorOptions = {
  override: ({ removeRule }) => ({ removeRule: (rules) => removeRule(rules, 0) }),
}

test.for([
  ['takes another rule along', removesFirstToo],
  ['removes the first rule in place of another', removesAlwaysFirst],
] as const)('if a server %s, this is not reported as a concurrent edit', async ([, options]) => {
  const { folder, ended } = await runWithLoss(await startLiveServer(9, options))
  const restored = await restore(folder)
  for (const { stdout } of [ended, restored]) expect(stdout).not.toMatch(/concurrent edit: |since the run began: /)
})

function restore(folder: string, more: Readonly<Record<string, string>> = env): Promise<Ended> {
  const [ledger = ''] = readdirSync(join(folder, 'tck-report')).filter((name) => name.startsWith('ledger-'))
  return command(['restore', '--ledger', join('tck-report', ledger)], { env: more, cwd: folder })
}

/** A run whose worker thread ends as in a crash of Node.js. */
async function withoutWorker(server: LiveServer): Promise<Ended> {
  const before = server.rules()
  const folder = emptyFolder()
  const trap = join(folder, 'trap.cjs')
  const now = JSON.stringify(join(folder, 'now'))
  writeFileSync(
    trap,
    `const { isMainThread } = require('node:worker_threads'); const { existsSync } = require('node:fs')
     if (!isMainThread) setInterval(() => existsSync(${now}) && process.exit(9), 5).unref()`,
  )
  const reached = new Promise<void>((resolve) => server.afterWrites(30, resolve))
  const args = ['run', '--target', server.url, '--risk', 'write', '--only', 'plugin.delete.*']
  const running = start(args, { env: { ...env, NODE_OPTIONS: `--require ${trap}` }, cwd: folder })
  await reached
  writeFileSync(join(folder, 'now'), '')
  const ended = await running.ended
  expect(server.rules()).toEqual(before)
  return ended
}

/** The command in a process whose files cannot grow beyond 4 KiB, as on a full disk. */
function onFullDisk(args: readonly string[], cwd: string): Promise<Ended> {
  const survive = `data:text/javascript,process.on('SIGXFSZ',()=>{})`
  const limited = ['-c', 'ulimit -f 4; exec "$@"', 'bash', process.execPath, '--import', survive, main, ...args]
  return new Promise((resolve) => {
    execFile('bash', limited, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

async function withFullDisk(server: LiveServer): Promise<Ended> {
  const before = server.rules()
  const folder = emptyFolder()
  const args = ['run', '--target', server.url, '--risk', 'write', '--only', 'plugin.delete.*']
  const ended = await onFullDisk(args, folder)
  expect(ended.stderr).toContain('A file cannot be written: EFBIG')
  const writes = server.methods.filter((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
  const [ledger = ''] = readdirSync(join(folder, 'tck-report')).filter((name) => name.startsWith('ledger-'))
  const entries = readFileSync(join(folder, 'tck-report', ledger), 'utf8')
    .split('\n')
    .slice(0, -1)
  expect(entries.filter((line) => /^{"event":"(write|remove)".*}$/.test(line))).toHaveLength(writes.length)
  expect(await onFullDisk(['restore', '--ledger', join('tck-report', ledger)], folder)).toMatchObject({ code: 5 })
  expect(await restore(folder)).toMatchObject({ code: 0 })
  expect(server.rules()).toEqual(before)
  return ended
}

async function withForeignLogins(): Promise<Ended> {
  const { url, methods } = await startLiveServer(2)
  const ended = await command(['run', '--target', url, ...writing, '--logins', '1000-1019'], { env })
  expect(new Set(methods)).toEqual(new Set(['GET']))
  return ended
}

function fileNamed(name: string, text = ''): string {
  const path = join(emptyFolder(), name)
  writeFileSync(path, text)
  return path
}

const pieces = JSON.stringify({ schema: 'copytrade-tck/report@1', requirements: [{ id: 'plugin.status.ok' }] })

const ways: readonly Way[] = [
  { code: 0, when: 'everything in scope holds', come: () => run(writing), says: 'partial No failure in 1 of ' },
  {
    code: 0,
    when: 'there is nothing to restore',
    come: async () => restore((await runWithLoss(await startLiveServer(2))).folder, {}),
    says: 'Nothing to do',
  },
  { code: 0, when: 'doctor finds a target ready', come: () => doctor(startLiveServer(2)), says: 'Ready' },
  {
    code: 1,
    when: 'a requirement is broken',
    come: () =>
      run(['--only', 'plugin.status.ok'], { override: () => ({ finish: (answer) => ({ ...answer, status: 202 }) }) }),
    says: 'non-conformant',
  },
  {
    code: 1,
    when: 'rules of others are listed without a follower: the fault of the server, and no error of the kit',
    come: () =>
      run(['--risk', 'write', '--only', 'plugin.list.all-active', '--only', 'plugin.rule.fields'], {
        override: ({ ruleBody }) => ({
          ruleBody: (rule, index) =>
            rule.master < 900_000_000n ? { index, master: rule.master } : ruleBody(rule, index),
        }),
      }),
    says: 'non-conformant',
  },
  {
    code: 2,
    when: 'there is no key',
    come: () => run(one, {}, { TCK_API_KEY: '' }),
    says: '`--target` requires an API key',
  },
  { code: 2, when: 'an option is unknown', come: () => command(['run', '--unknown']), says: 'unknown option' },
  {
    code: 2,
    when: 'a file stands where the folder of the report would be',
    come: () => command(['run', '--target', 'http://127.0.0.1:9', '--out', fileNamed('out')], { env }),
    says: 'The report folder cannot be used',
  },
  {
    code: 2,
    when: 'the folder of the report is where none can be created',
    come: () => command(['run', '--target', 'http://127.0.0.1:9', '--out', '/proc/x/y'], { env }),
    says: 'The report folder cannot be used',
  },
  {
    code: 2,
    when: 'a folder stands where a file of the report would be',
    come: () => {
      const out = emptyFolder()
      mkdirSync(join(out, 'report.html'))
      return run([...one, '--out', out])
    },
    says: 'The report folder cannot be written',
  },
  {
    code: 2,
    when: 'two keys are given',
    come: () => run(['--api-key', 'another', ...one]),
    says: '`--api-key` and `TCK_API_KEY` hold different keys',
  },
  {
    code: 2,
    when: 'a glob is empty, as a variable of a CI job may be',
    come: () => command(['run', '--only', '']),
    says: 'Give a value that is not empty',
  },
  {
    code: 2,
    when: 'one of several globs matches nothing',
    come: () => command(['run', '--only', 'plugin.status.ok', '--only', 'plugin.delte.*', '--strict']),
    says: 'No check matches `--only plugin.delte.*`.',
  },
  ...['--timeout', '--cleanup-timeout', '--hook-timeout'].map((option) => ({
    code: 2,
    when: `${option} is longer than a timer can be`,
    come: () => command(['run', option, '3000000000']),
    says: 'Give a whole number from 1 to 2147483647.',
  })),
  {
    code: 2,
    when: 'the command of --exec is empty',
    come: () => command(['run', '--exec', '']),
    says: "argument '' is invalid. Give a value that is not empty, like `node server.js`.",
  },
  {
    code: 2,
    when: 'the folder of --out is empty',
    come: () => command(['run', '--out', '']),
    says: "argument '' is invalid. Give a path that is not empty.",
  },
  {
    code: 2,
    when: 'a hook command is empty',
    come: () => command(['run', '--target', 'http://127.0.0.1:1', '--hook-restart', ''], { env }),
    says: "argument '' is invalid. Give a value that is not empty, like `systemctl restart trade`.",
  },
  {
    code: 2,
    when: 'the ledger of restore does not exist',
    come: () => command(['restore', '--ledger', 'missing.jsonl'], { env }),
    says: 'missing.jsonl cannot be read: ENOENT',
  },
  {
    code: 2,
    when: 'a file of targets has no targets',
    come: () => command(['fleet', fileNamed('targets.yaml', 'target: x\n')], { env }),
    says: 'targets.yaml:1: `targets` is missing.',
  },
  {
    code: 2,
    when: 'restore is given a folder',
    come: () => command(['restore', '--ledger', emptyFolder()], { env }),
    says: 'cannot be read: EISDIR',
  },
  {
    code: 2,
    when: 'restore is given a file of another kind',
    come: () => command(['restore', '--ledger', fileNamed('other.jsonl', '{"event":"open"}\n')], { env }),
    says: 'is not the ledger of a run',
  },
  {
    code: 2,
    when: 'baseline is given a report in pieces',
    come: () => command(['baseline', fileNamed('report.json', pieces)]),
    says: 'is not a report of this kit',
  },
  {
    code: 2,
    when: 'report is given a file of another kind',
    come: () => command(['report', fileNamed('report.json', '{"schema":"other"}'), '--format', 'md']),
    says: 'expected "copytrade-tck/report@1"',
  },
  {
    code: 2,
    when: 'a login of the kit is in use; nothing was sent but reads',
    come: () => withForeignLogins(),
    says: '--logins',
  },
  {
    code: 3,
    when: 'something is out of scope and must not be',
    come: () => run(['--complete', '--only', 'plugin.status.ok', ...one]),
    says: 'incomplete',
  },
  {
    code: 4,
    when: 'nothing listens',
    come: async () => command(['run', '--target', await closedAddress()], { env }),
    says: 'cannot be reached',
  },
  {
    code: 4,
    when: 'the key is refused',
    come: () => run([], {}, { TCK_API_KEY: 'another-key' }),
    says: 'rejects the key with 401.\n`TCK_API_KEY` must give the value of the plugin parameter `API_Key`.',
  },
  {
    code: 4,
    when: 'the server of --exec ends',
    come: () => command(['run', '--exec', 'echo no licence; exit 3']),
    says: /ended with exit code 3 before it responded\.\n.*server\.log:\n {2}no licence\n/,
  },
  {
    code: 4,
    when: 'the command of --exec goes into the background',
    come: () => command(['run', '--exec', `"${process.execPath}" "${plainServer}" >server.out 2>&1 &`]),
    says: process.platform === 'linux' ? 'the server runs in the background (process' : 'without `&`',
  },
  {
    code: 4,
    when: 'doctor finds no server',
    come: () => doctor(closedAddress().then((url) => ({ url }))),
    says: 'Not ready',
  },
  {
    code: 5,
    when: 'the server does not take the rules of the kit back',
    come: () => run(writing, { override: () => ({ removeRule: (list) => list }) }),
    says: /left behind: #\d+ 9\d+>9\d+ [\s\S]*copytrade-tck restore --ledger/,
  },
  {
    code: 5,
    when: 'a foreign rule disappeared with a request of the kit',
    come: async () => (await runWithLoss(await startLiveServer(9, evicting().options))).ended,
    says: /disappeared with a request of the kit: 1000>20000 [\s\S]*POST \/api\/rules/,
  },
  {
    code: 5,
    when: 'restore does not find it back in the list',
    come: async () => restore((await runWithLoss(await startLiveServer(9, evicting().options))).folder),
    says: /disappeared with a request of the kit: 1000>20000 [\s\S]*POST \/api\/rules/,
  },
  {
    code: 5,
    when: 'a removal hit a foreign rule, which was added again elsewhere',
    come: async () => (await runWithLoss(await startLiveServer(9, removesAlwaysFirst))).ended,
    says: /added again at #\d+, was at #0 before: 1000>20000 [\s\S]*in the same order[\s\S]*non-conformant/,
  },
  {
    code: 5,
    when: 'the disk is full: nothing is sent that is not in the ledger, and restore finishes when there is space',
    come: async () => withFullDisk(await startLiveServer(2)),
    says: /could not be restored: The ledger cannot be used: EFBIG: [\s\S]*left behind: #2 9000\d+>[\s\S]*copytrade-tck restore --ledger/,
  },
  {
    code: 70,
    when: 'the thread of the checks dies; its rules are removed all the same',
    come: async () => withoutWorker(await startLiveServer(20)),
    says: /0 of 20 rules changed\n[\s\S]*Internal error/,
  },
]

async function doctor(server: Promise<{ readonly url: string }>): Promise<Ended> {
  return command(['doctor', '--target', (await server).url], { env })
}

test('every exit code of the contract is tested here', () => {
  expect([...new Set(ways.map(({ code }) => code))]).toEqual([0, 1, 2, 3, 4, 5, 70])
})

test.for(ways)('exit $code: $when', async ({ code, come, says }) => {
  const ended = await come()
  expect(ended.stdout + ended.stderr).toMatch(says)
  expect(ended.code).toBe(code)
})

test('a lost rule that is in the list again does not count as lost: restore ends with 0', async () => {
  const { options, accept } = evicting()
  const server = await startLiveServer(9, options)
  const before = server.rules()
  const { folder } = await runWithLoss(server)
  expect(await restore(folder)).toMatchObject({ code: 5 })
  accept()
  const missing = before.filter((rule) => !server.rules().some(({ follower }) => follower === rule.follower))
  expect(missing.length).toBeGreaterThan(0)
  for (const { master, follower, mode, value, direction } of missing) {
    const body = JSON.stringify({ master: Number(master), follower: Number(follower), mode, value, direction })
    await fetch(`${server.url}/api/rules`, { method: 'POST', headers: { 'X-API-Key': liveKey }, body })
  }
  expect(await restore(folder)).toMatchObject({ code: 0 })
})

atTerminal('Ctrl-C ends a run with the code of its report, and npx with 130, as the documents say', async () => {
  // In the folder of the package itself, npx would build it again under the other tests.
  const cwd = emptyFolder()
  mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true })
  symlinkSync(main, join(cwd, 'node_modules/.bin/copytrade-tck'))
  const interrupted = async (program?: readonly string[]) => {
    const args = ['run', '--reporter', 'list', '--out', emptyFolder()]
    const running = startInTerminal(args, { cwd, apiKey: liveKey, ...(program && { program }) })
    await running.shown(/passed/)
    running.press('\u0003')
    return (await running.ended).code
  }
  expect([await interrupted(), await interrupted(['npx', 'copytrade-tck'])]).toEqual([3, 130])
  for (const file of ['README.md', 'docs/cli.md', 'docs/live-servers.md']) {
    expect(readFileSync(join(root, file), 'utf8'), file).toMatch(/through `?npx`?.*130|130.*through `?npx`?/i)
  }
})
