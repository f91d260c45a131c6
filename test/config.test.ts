import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Report } from '../reports/report.ts'
import { createSimulator } from '../simulator/index.ts'
import { command, emptyFolder } from './command.ts'

const key = 'a-key-that-nobody-may-see'

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = emptyFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function readReport(folder: string, out: string): Report {
  return JSON.parse(readFileSync(join(folder, out, 'report.json'), 'utf8')) as Report
}

async function liveServer(): Promise<string> {
  const simulator = createSimulator({ apiKey: key })
  const server = createServer(simulator.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await simulator.stop()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the file is found and overrides the defaults, and a flag overrides the file', async () => {
  const cwd = folderWith({ 'tck.config.yaml': 'only: [plugin.status.ok]\nseed: 41\nout: from-file\nstrict: true\n' })
  const { code, stderr } = await command(['run', '--seed', '42'], { cwd })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(readReport(cwd, 'from-file')).toMatchObject({
    seed: 42,
    scope: { only: ['plugin.status.ok'], skip: [], strict: true, complete: false },
  })
})

test('for the key the environment overrides the file; a flag with another key is rejected', async () => {
  const config = `target: ${await liveServer()}\napiKeyFile: key.txt\nonly: plugin.status.ok\n`
  const right = folderWith({ 'tck.config.yaml': config, 'key.txt': `${key}\n` })
  const wrong = folderWith({ 'tck.config.yaml': config, 'key.txt': 'wrong' })
  const env = { TCK_API_KEY: key }
  const ended = await Promise.all([
    command(['run'], { cwd: right }),
    command(['run'], { cwd: wrong }),
    command(['run', '--out', 'another'], { cwd: wrong, env }),
    command(['run', '--api-key', 'wrong'], { cwd: right, env }),
  ])
  expect(ended.map(({ code }) => code)).toEqual([0, 4, 0, 2])
})

test('--exec on the command line replaces the target of the file', async () => {
  const cwd = folderWith({ 'tck.config.yaml': 'target: http://127.0.0.1:1\n' })
  const { code, stderr } = await command(['run', '--exec', `"${process.execPath}" -e "process.exit(3)"`], { cwd })
  expect(stderr).toContain('The server ended with exit code 3 before it responded.')
  expect(code).toBe(4)
})

test('--reporter json prints the report although the file holds `quiet: true`', async () => {
  const cwd = folderWith({ 'tck.config.yaml': 'quiet: true\n' })
  const { stdout } = await command(['run', '--reporter', 'json', '--only', 'plugin.status.ok'], { cwd })
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'partial' })
})

test('doctor and restore read their own options from the file of run, and ignore the rest', async () => {
  const target = await liveServer()
  const config = `target: ${target}\napiKeyFile: key.txt\nonly: plugin.status.ok\nrisk: write\nlogins: 500-519\ntimeout: 5000\n`
  const opening = { event: 'open', schema: 'copytrade-tck/ledger@1', target, startedAt: '', before: [] }
  const ledger = `${JSON.stringify({ ...opening, logins: { from: 500, to: 519 } })}\n`
  const cwd = folderWith({ 'tck.config.yaml': config, 'key.txt': key, 'l.jsonl': ledger })
  const looked = await command(['doctor'], { cwd })
  expect(looked).toMatchObject({ code: 0, stdout: expect.stringContaining('no rule uses a login in 500-519') })
  const restored = await command(['restore', '--ledger', 'l.jsonl'], { cwd })
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('No rule of the kit is left') })
  const wrong = folderWith({ 'tck.config.yaml': `${config}timeuot: 1\n`, 'key.txt': key })
  expect(await command(['doctor'], { cwd: wrong })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('timeuot'),
  })
})

test.for([
  {
    what: 'an unknown key',
    files: { 'tck.config.yaml': '# ours\nmaxFil: 3\n' },
    says: ['tck.config.yaml:2: unknown member `maxFil`. Did you mean `maxFill`?'],
  },
  {
    what: 'a wrong value',
    files: { 'tck.config.json': '{\n  "strict": true,\n  "maxFill": "many"\n}\n' },
    says: ['tck.config.json:3: `maxFill`: Give a whole number of at least 0.'],
  },
  {
    what: 'a key in the file',
    files: { 'tck.config.yaml': `apiKey: ${key}\n` },
    says: ['tck.config.yaml:1: `apiKey` is not allowed in this file', 'TCK_API_KEY', 'apiKeyFile'],
  },
  {
    what: 'two files',
    files: { 'tck.config.yaml': '', 'tck.config.json': '{}' },
    says: ['more than one configuration file', '--config <path>'],
  },
  {
    what: 'a wrong value in a module',
    files: { 'tck.config.mjs': 'export default {\n  strict: true,\n  maxFill: -1,\n}\n' },
    says: ['tck.config.mjs:3: `maxFill`: Give a whole number'],
  },
])('exit 2 for $what', async ({ files, says }) => {
  const { code, stdout, stderr } = await command(['run'], { cwd: folderWith(files) })
  for (const text of says) expect(stderr).toContain(text)
  expect(stderr).not.toContain(key)
  expect(stdout).toBe('')
  expect(code).toBe(2)
})

test('--config chooses among several files, and a module may compute its values', async () => {
  const cwd = folderWith({
    'tck.config.yaml': 'target: http://127.0.0.1:2',
    'tck.config.json': '{ "target": "http://127.0.0.1:3" }',
    'mine.mjs': "export default { target: 'http://127.0.0.1:' + 1, risk: undefined }\n",
  })
  const { code, stderr } = await command(['run', '--config', 'mine.mjs'], { cwd, env: { TCK_API_KEY: key } })
  expect(stderr).toContain('http://127.0.0.1:1 cannot be reached')
  expect(code).toBe(4)
})

test('a .ts file is read if Node supports TypeScript; otherwise a message says what to do', async () => {
  const cwd = folderWith({
    'tck.config.ts': "const seed: number = 44\nexport default { seed, only: ['plugin.status.ok'] }\n",
  })
  const { code, stderr } = await command(['run'], { cwd })
  if ('typescript' in process.features && process.features.typescript !== false) {
    expect(code).toBe(0)
    expect(readReport(cwd, 'tck-report').seed).toBe(44)
  } else {
    expect(stderr).toContain('Node.js 22.18')
    expect(code).toBe(2)
  }
})
