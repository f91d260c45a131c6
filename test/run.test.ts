import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createRelay } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { Report } from '../reports/report.ts'
import { createSimulator, type SimulatorOptions } from '../simulator/index.ts'
import { pluginDefects } from '../simulator/plugin/defects/index.ts'
import { chosenChecks } from './chosen-checks.ts'
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

/** A server with foreign rules that counts the methods of the requests that it receives. */
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

/** The requirements that the faulty server violates by default. */
const broken = [
  'plugin.delete.keeps-order',
  'plugin.add.requires-every-field',
  'plugin.auth.whole-key',
  'plugin.errors.every',
  'plugin.start.file-wins',
]

test('a server with several faults fails, and each of them is named', async () => {
  const folder = emptyFolder()
  const only = broken.flatMap((id) => ['--only', id])
  const args = ['run', '--exec', fixture('faulty.mjs'), '--verbose', ...only]
  const { code, stdout } = await command(args, { cwd: folder })
  expect(code).toBe(1)
  const report = readReport(folder)
  expect(report.verdict).toBe('non-conformant')
  for (const id of broken) {
    expect(statusOf(report, id), id).toBe('failed')
    expect(stdout).toContain(`FAILED ${id}`)
  }
  expect(stdout).toContain('$TCK_API_KEY')
})

test('the defect that explains the failures is named in every format of the report', async () => {
  const defect = pluginDefects.find(({ id }) => id === 'delete.moves-last-into-gap')
  const { url } = await liveServer(defect && { override: defect.override })
  const folder = emptyFolder()
  const only = ['--only', 'plugin.delete.*', '--only', 'CT-981']
  const args = ['run', '--target', url, '--risk', 'write', '--yes', ...only, '--diagnose', '120']
  const { code, stdout } = await command(args, { cwd: folder, env: { TCK_API_KEY: key } })
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^non-conformant [\s\S]+^Confirmed: a simulator with this fault fails the same (check|\d+ checks) .+$/m,
  )
  expect(stdout).toMatch(
    /^ {2}DELETE moves the last rule into the removed position \(`delete.moves-last-into-gap`[^)]*\): CT-/m,
  )
  const { diagnosis, requirements } = readReport(folder)
  const [best] = diagnosis ?? []
  expect(best).toMatchObject({
    defects: ['delete.moves-last-into-gap'],
    confirmed: true,
    unexplained: [],
    besides: [],
  })
  const failed = requirements.flatMap(({ checks }) => checks).filter(({ status }) => status === 'failed')
  expect(best?.explains.toSorted()).toEqual(failed.map(({ id }) => id).toSorted())
  expect(failed.map(({ explainedBy }) => explainedBy)).toEqual(failed.map(() => best?.defects))
  const file = (name: string) => readFileSync(join(folder, 'tck-report', name), 'utf8')
  expect(file('summary.md')).toMatch(/^- DELETE moves the last rule.+\(`delete\.moves-last-into-gap`[^)]*\): CT/m)
  expect(file('summary.md')).toContain('Explained by: `delete.moves-last-into-gap`')
  expect(file('junit.xml')).toMatch(
    /<property name="diagnosis" value="Confirmed: a simulator with this fault [^"]+ DELETE moves/,
  )
  expect(file('junit.xml')).toContain('explained by: delete.moves-last-into-gap')
  expect(file('report.html')).toMatch(
    /<b>Confirmed: a simulator with this fault .+<\/b>.+<code>delete\.moves-last-into-gap<\/code>/,
  )
  expect(failed[0]?.provenBy).toContain('delete.moves-last-into-gap')
  expect(failed.map(({ exchanges, decidedBy }) => exchanges.some(({ id }) => id === decidedBy))).not.toContain(false)
})

/** Forwards bytes to a server, and returns the request lines that clients sent. */
async function recordRequestLines(url: string) {
  let sent = ''
  const relay = createRelay((client) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1')
    client.on('data', (bytes) => {
      sent += bytes.toString('latin1')
    })
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void relay.close())
  const { port } = relay.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requestLines: () => sent.match(/^\S+ \S+ HTTP\/\S+/gm) ?? [] }
}

test('by default a URL is only read, also with raw bytes', async () => {
  const { url, requestLines } = await recordRequestLines((await liveServer()).url)
  const { code } = await command(['run', '--target', `${url}/api/`], { env: { TCK_API_KEY: key } })
  expect(code).toBe(0)
  expect(requestLines().length).toBeGreaterThan(30)
  expect(requestLines().filter((line) => !/^(GET|HEAD|OPTIONS) /.test(line))).toEqual([])
})

test('--reporter json prints only report.json, --quiet only the verdict, and a log has no list', async () => {
  const { url } = await liveServer()
  const folders = [emptyFolder(), emptyFolder(), emptyFolder()]
  const [json, quiet, log] = await Promise.all(
    [['--reporter', 'json'], ['--quiet'], []].map((more, at) =>
      command(['run', '--target', url, '--only', 'plugin.list.*', ...more], {
        env: { TCK_API_KEY: key },
        cwd: folders[at] ?? '',
      }),
    ),
  )
  expect(JSON.parse(json?.stdout ?? '')).toEqual(readReport(folders[0] ?? ''))
  expect(json?.stderr).toContain('Judging the server at')
  expect(quiet?.stdout).toMatch(/^partial .* \(0 of 2 rules changed\)\nReport: .*\n$/)
  expect(log?.stdout).toMatch(/^100 % {2}(\d+)\/\1 {2}/m)
  expect(log?.stdout).not.toContain('CT-301')
})

test('with --risk write foreign rules are unchanged afterwards', async () => {
  const { url, simulator } = await liveServer()
  await command(['run', '--target', url, '--only', 'plugin.status.ok'], { env: { TCK_API_KEY: key } })
  const before = simulator.rules
  expect(before).toHaveLength(2)
  const folder = emptyFolder()
  const { code, stdout } = await command(['run', '--target', url, '--risk', 'write', ...chosenChecks], {
    env: { TCK_API_KEY: key },
    cwd: folder,
  })
  expect(stdout).toContain('0 of 2 rules changed')
  expect(code).toBe(0)
  expect(simulator.rules).toEqual(before)
  expect(readReport(folder).harm).toMatchObject({ rulesBefore: 2, rulesAfter: 2, restored: true })
})

test.for([
  { what: 'is full already', capacity: 2 },
  { what: 'has room for one rule', capacity: 3 },
])('a server that $what does not fail for it, and no answer is invented', async ({ capacity }) => {
  const { url, simulator } = await liveServer({ capacity })
  const folder = emptyFolder()
  const chosen = ['status.ok', 'delete.keeps-order', 'add.created', 'add.same-pair', 'body.*', 'login.*']
  const only = chosen.flatMap((name) => ['--only', `plugin.${name}`])
  const { code } = await command(['run', '--target', url, '--risk', 'exclusive', ...only], {
    env: { TCK_API_KEY: key },
    cwd: folder,
  })
  expect(code).toBe(0)
  expect(simulator.rules).toHaveLength(2)
  const report = readReport(folder)
  expect(statusOf(report, 'plugin.delete.keeps-order')).toBe('out-of-scope')
  const same = report.observations.find(({ question }) => question === 'plugin.add.same-pair')
  expect(same).toMatchObject({ status: 'out-of-scope', message: expect.stringContaining('seems to be full') })
  expect(report.observations.filter(({ status, answer }) => status === 'passed' && answer === null)).toEqual([])
})

test('no file and no output contains the key', async () => {
  const { url } = await liveServer({
    override: () => ({ errorBody: () => ({ error: `key ${key}` }) }),
  })
  const folder = emptyFolder()
  const onlyRejected = ['--only', 'plugin.auth.key-*', '--only', 'plugin.auth.whole-key', '--only', 'plugin.errors.*']
  const { stdout, stderr } = await command(
    ['run', '--target', url, '--risk', 'write', '--evidence', 'all', ...onlyRejected],
    {
      env: { TCK_API_KEY: key },
      cwd: folder,
    },
  )
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

test.for([
  { args: ['run', '--target', 'http://127.0.0.1:1'], says: '`--target` requires an API key' },
  { args: ['run', '--target', 'no url', '--api-key', 'k'], says: '`--target` is not a usable URL' },
  { args: ['run', '--target', 'http://a', '--exec', 'b', '--api-key', 'k'], says: 'exclude each other' },
  { args: ['run', '--risk', 'high'], says: 'read, write, exclusive' },
  { args: ['run', '--capacity', 'many'], says: 'whole number' },
  { args: ['run', '--logins', '5-6'], says: 'at least 12 logins' },
  { args: ['run', '--only', 'nothing.*'], says: 'No check matches' },
  { args: ['run', '--api-key-file', 'missing.txt'], says: 'cannot be read' },
  { args: ['run', '--unknown'], says: 'unknown option' },
  { args: ['judge'], says: 'unknown command' },
])('exit 2 for $args: $says', async ({ args, says }) => {
  const { code, stdout, stderr } = await command(args)
  expect(stdout).toBe('')
  expect(stderr).toContain(says)
  expect(code).toBe(2)
})

test('a key with one letter is not searched for in responses, and not redacted in header names', async () => {
  const parameters = { API_Key: 'k', ...copy }
  const { url } = await liveServer({ parameters, override: () => ({ statusBody: () => ({}) }) })
  const folder = emptyFolder()
  const args = ['run', '--target', url, '--reporter', 'list', '--only', 'CT-751', '--only', 'plugin.status.*']
  const { stdout } = await command(args, { env: { TCK_API_KEY: 'k' }, cwd: folder })
  expect(stdout).toContain('out-of-scope CT-751')
  expect(stdout).toContain('-H "X-API-Key: $TCK_API_KEY"')
})

test('a run that ends without a report leaves no report of an earlier one, and no other file is removed', async () => {
  const cwd = emptyFolder()
  const run = (...more: string[]) =>
    command(['run', '--only', 'plugin.status.ok', ...more], { cwd, env: { TCK_API_KEY: key } })
  const files = () => readdirSync(join(cwd, 'tck-report')).toSorted()
  const written = ['exchanges.har', 'junit.xml', 'report.html', 'report.json', 'summary.md']
  expect(await run()).toMatchObject({ code: 0 })
  for (const name of ['ledger-1.jsonl', 'notes.md']) writeFileSync(join(cwd, 'tck-report', name), '')
  expect(await run('--plan')).toMatchObject({ code: 0 })
  expect(await run('--baseline', 'missing.yaml')).toMatchObject({ code: 2 })
  expect(files()).toEqual([...written, 'ledger-1.jsonl', 'notes.md'].toSorted())
  expect(await run('--exec', 'exit 3')).toMatchObject({ code: 4 })
  expect(files()).toEqual(['ledger-1.jsonl', 'notes.md'])
})
