import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import getPort from 'get-port'
import { expect, onTestFinished, test } from 'vitest'
import type { Report } from '../reports/report.ts'
import { createSimulator, type SimulatorOptions } from '../simulator/index.ts'
import { command, emptyFolder } from './command.ts'

const fixture = (name: string) =>
  `exec "${process.execPath}" "${fileURLToPath(new URL(`../fixtures/servers/${name}`, import.meta.url))}"`
const key = 'a-key-that-nobody-may-see'
const copy = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.5,reverse' }

function readReport(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
}

function statusOf(report: Report, id: string): string | undefined {
  return report.requirements.find((requirement) => requirement.id === id)?.status
}

/** A server with rules of others that counts the methods it is asked with. */
async function liveServer(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ parameters: { API_Key: key, ...copy }, ...options })
  const handle = simulator.callback()
  const methods: string[] = []
  const server = createServer((request, response) => {
    methods.push(request.method ?? '')
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await simulator.stop()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, methods, simulator }
}

test('the embedded simulator passes: every requirement is judged, and the reports are written', async () => {
  const folder = emptyFolder()
  const { code, stdout } = await command(['run', '--seed', '11'], { cwd: folder })
  expect(stdout).toContain('0 of 3 rules changed')
  expect(code).toBe(0)
  const report = readReport(folder)
  expect(report.verdict).toBe('conformant')
  expect(report.requirements.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(report.observations.filter(({ answer, default: byDefault }) => answer !== byDefault)).toEqual([])
  expect(report.seed).toBe(11)
  expect(readdirSync(join(folder, 'tck-report')).toSorted()).toEqual(
    ['exchanges.har', 'junit.xml', 'report.html', 'report.json', 'summary.md'].toSorted(),
  )
})

/** What the faulty server breaks when it is not told otherwise. */
const broken = [
  'plugin.delete.keeps-order',
  'plugin.add.requires-direction',
  'plugin.auth.whole-key',
  'plugin.errors.405',
  'plugin.start.empty-file-wins',
]

test('a server that is wrong in a few ways fails, and each of its faults is named', async () => {
  const folder = emptyFolder()
  const only = broken.flatMap((id) => ['--only', id])
  const { code, stdout } = await command(['run', '--exec', fixture('faulty.mjs'), ...only], { cwd: folder })
  expect(code).toBe(1)
  const report = readReport(folder)
  expect(report.verdict).toBe('non-conformant')
  for (const id of broken) {
    expect(statusOf(report, id), id).toBe('failed')
    expect(stdout).toContain(`FAILED ${id}`)
  }
  expect(stdout).toContain('$TCK_API_KEY')
})

test('by default a URL is only read', async () => {
  const { url, methods } = await liveServer()
  const { code } = await command(['run', '--target', `${url}/api/`], { env: { TCK_API_KEY: key } })
  expect(code).toBe(0)
  expect(methods.length).toBeGreaterThan(30)
  // A method in lower case never reaches the handler.
  expect(methods.filter((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method))).toEqual([])
})

test('with --risk write the rules of others are as before afterwards', async () => {
  const { url, simulator } = await liveServer()
  await command(['run', '--target', url, '--only', 'plugin.status.ok'], { env: { TCK_API_KEY: key } })
  const before = simulator.rules
  expect(before).toHaveLength(2)
  const folder = emptyFolder()
  const { code, stdout } = await command(['run', '--target', url, '--risk', 'write'], {
    env: { TCK_API_KEY: key },
    cwd: folder,
  })
  expect(stdout).toContain('0 of 2 rules changed')
  expect(code).toBe(0)
  expect(simulator.rules).toEqual(before)
  expect(readReport(folder).harm).toMatchObject({ rulesBefore: 2, rulesAfter: 2, restored: true })
})

test('a server that is full already is not failed for it', async () => {
  const { url, simulator } = await liveServer({ capacity: 2 })
  const folder = emptyFolder()
  const { code } = await command(['run', '--target', url, '--risk', 'exclusive'], {
    env: { TCK_API_KEY: key },
    cwd: folder,
  })
  expect(code).toBe(0)
  expect(simulator.rules).toHaveLength(2)
  expect(statusOf(readReport(folder), 'plugin.delete.keeps-order')).toBe('out-of-scope')
})

test('the key is in no file and no line of the output', async () => {
  const { url } = await liveServer({
    override: () => ({ errorBody: () => ({ error: `key ${key}` }) }),
  })
  const folder = emptyFolder()
  const { stdout, stderr } = await command(['run', '--target', url, '--risk', 'write'], {
    env: { TCK_API_KEY: key },
    cwd: folder,
  })
  const files = readdirSync(join(folder, 'tck-report')).map((name) =>
    readFileSync(join(folder, 'tck-report', name), 'utf8'),
  )
  for (const text of [stdout, stderr, ...files]) {
    expect(text).not.toContain(key)
    expect(text).not.toContain(Buffer.from(key).toString('base64').slice(0, -4))
    expect(text).not.toContain(key.slice(0, -1))
  }
  expect(stdout).toContain('plugin.auth.key-not-repeated')
})

test('a server that does not take its rules back: exit 5, with what was left behind', async () => {
  const { url } = await liveServer({ override: () => ({ removeRule: (list) => list }) })
  const { code, stdout } = await command(['run', '--target', url, '--risk', 'write', '--only', 'plugin.add.created'], {
    env: { TCK_API_KEY: key },
  })
  expect(code).toBe(5)
  expect(stdout).toMatch(/900000000>90000\d+/)
})

test('exit 3 where something could not be judged', async () => {
  const { url } = await liveServer()
  const { code } = await command(['run', '--target', url, '--complete'], { env: { TCK_API_KEY: key } })
  expect(code).toBe(3)
})

test('exit 4 where nothing answers, and where the key is refused', async () => {
  const port = await getPort({ host: '127.0.0.1' })
  const nobody = await command(['run', '--target', `http://127.0.0.1:${port}`, '--api-key', 'k'])
  expect(nobody).toMatchObject({ code: 4, stderr: expect.stringContaining('cannot be reached') })
  const { url } = await liveServer()
  const stranger = await command(['run', '--target', url, '--api-key', 'another'])
  expect(stranger).toMatchObject({ code: 4, stderr: expect.stringContaining('refuses the key') })
  const silent = await command(['run', '--exec', `${process.execPath} -e "process.exit(3)"`])
  expect(silent).toMatchObject({ code: 4, stderr: expect.stringContaining('server.log') })
})

test.for([
  { args: ['run', '--target', 'http://127.0.0.1:1'], says: 'There is no key' },
  { args: ['run', '--target', 'no url', '--api-key', 'k'], says: '--target is no usable URL' },
  { args: ['run', '--target', 'http://a', '--exec', 'b', '--api-key', 'k'], says: 'exclude each other' },
  { args: ['run', '--risk', 'high'], says: 'read, write, exclusive' },
  { args: ['run', '--capacity', 'many'], says: 'whole number' },
  { args: ['run', '--logins', '5-6'], says: 'at least three logins' },
  { args: ['run', '--only', 'nothing.*'], says: 'No check is left' },
  { args: ['run', '--api-key-file', 'missing.txt'], says: 'cannot be read' },
  { args: ['run', '--unknown'], says: 'unknown option' },
  { args: ['judge'], says: 'unknown command' },
])('exit 2 for $args: $says', async ({ args, says }) => {
  const { code, stdout, stderr } = await command(args)
  expect(stdout).toBe('')
  expect(stderr).toContain(says)
  expect(code).toBe(2)
})

test('exit 2 where the list holds a login of the kit already, and nothing is sent but reads', async () => {
  const { url, methods } = await liveServer({
    parameters: { API_Key: key, Copy_1: '900000005>2001,mult,1,same' },
  })
  const { code, stderr } = await command(['run', '--target', url, '--risk', 'write'], { env: { TCK_API_KEY: key } })
  expect(stderr).toContain('--logins')
  expect(code).toBe(2)
  expect(methods.every((method) => method === 'GET')).toBe(true)
})
