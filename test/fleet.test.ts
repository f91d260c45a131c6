import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command, emptyFolder, start } from './command.ts'
import { codesOf, keyOf, runFleetScenario } from './fleet-scenario.ts'
import { liveKey, startLiveServer } from './live-server.ts'

test('a fleet is judged in two parts, merged and compared with the day before', async () => {
  const { folder, yesterday, shards, merged, compared, fleet } = await runFleetScenario({
    ...{ servers: 4, faulty: [2], down: 3, regressed: 4 },
    defaults: ['  only: plugin.status.ok', '  risk: read'],
  })
  expect([yesterday.code, ...shards.map(({ code }) => code), merged.code, compared.code]).toEqual([4, 4, 1, 4, 1])
  expect(yesterday.stdout).toContain('4 installs: ')
  expect(codesOf(fleet('yesterday'))).toEqual({
    ...{ 'server-1': 0, 'server-2': 1, 'server-3': 4, 'server-4': 0 },
  })
  const today = fleet('today')
  expect(codesOf(today)).toEqual({ ...codesOf(fleet('yesterday')), 'server-4': 1 })
  expect(fleet('parts/1').installs.map(({ name }) => name)).toEqual(['server-1', 'server-3'])
  expect(compared.stdout).toMatch(/^ {2}Now: server-4: non-conformant/m)
  expect(compared.stdout).toMatch(
    /\n {2}server-3: not judged before, not judged now\n\n3 installs compared: 1 regression\.\n$/,
  )

  // Every link of the page leads to a file.
  const page = readFileSync(join(folder, 'today/fleet.html'), 'utf8')
  const links = [...page.matchAll(/href="([^#"]+)"/g)].map(([, link = '']) => join(folder, 'today', link))
  expect(links.length).toBeGreaterThan(8)
  expect(links.filter((link) => !existsSync(link))).toEqual([])
  const junit = readFileSync(join(folder, 'today/junit.xml'), 'utf8')
  expect(junit).toMatch(/^<testsuites [^>]*failures="2" errors="1"/m)

  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  expect(texts.filter((text) => text.includes(keyOf(1)))).toEqual([])
})

/** A folder with a file of targets. */
function folderWith(targets: string): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'targets.yaml'), targets)
  return folder
}

test('an install says that its baseline is the reason for its exit code', async () => {
  const server = await startLiveServer(1)
  const cwd = folderWith(
    `targets:\n  - { name: one, target: "${server.url}", keyVariable: KEY, only: CT-101, baseline: known.yaml }\n`,
  )
  const known = '{ check: CT-101, reason: It failed once., signature: "000000000000" }'
  writeFileSync(join(cwd, 'known.yaml'), `schema: copytrade-tck/baseline@2\nknownFailures:\n  - ${known}\n`)
  const { code, stdout } = await command(['fleet', 'targets.yaml', '--yes'], { cwd, env: { KEY: liveKey } })
  expect({ code, stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/known\.yaml\), 1 deviation: 1 stale\./),
  })
})

test('the plan comes before the first write, and an interrupted fleet leaves every list as it was', async () => {
  const server = await startLiveServer(3)
  const cwd = folderWith(
    `targets:\n  - { name: one, target: "${server.url}", keyVariable: KEY, risk: write, only: ["CT-5*"] }\n`,
  )
  const env = { KEY: liveKey }
  const before = server.methods.length
  const plan = await command(['fleet', 'targets.yaml', '--plan'], { cwd, env })
  expect(plan).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ {2}one {2}http\S+ {2}risk write: about \d+ writes, at most \d+$/m),
  })
  expect(server.methods.length).toBe(before)

  const rules = server.rules()
  const { child, ended } = start(['fleet', 'targets.yaml', '--yes'], { cwd, env })
  server.afterWrites(1, () => child.kill('SIGTERM'))
  const { code } = await ended
  expect(code).toBe(3)
  expect(server.rules()).toEqual(rules)
  expect(JSON.parse(readFileSync(join(cwd, 'tck-fleet/fleet.json'), 'utf8'))).toMatchObject({
    installs: [{ name: 'one', exitCode: 3, verdict: 'incomplete' }],
  })
})

test('a fleet that is interrupted when a run has just been started is incomplete', async () => {
  const server = await startLiveServer(1)
  const cwd = folderWith(`targets:\n  - { name: one, target: "${server.url}", keyVariable: KEY }\n`)
  const { child, ended } = start(['fleet', 'targets.yaml'], { cwd, env: { KEY: liveKey } })
  const log = join(cwd, 'tck-fleet/one/run.log')
  await expect.poll(() => existsSync(log), { timeout: 20_000, interval: 1 }).toBe(true)
  child.kill('SIGTERM')
  const { code, stdout } = await ended
  expect(stdout).toMatch(/one: .*, exit code 3, /)
  expect(code).toBe(3)
})

test('the roll-up of an earlier fleet is removed before the first run, but not by --plan', async () => {
  const server = await startLiveServer(1)
  const cwd = folderWith(`targets:\n  - { name: one, target: "${server.url}", keyVariable: KEY }\n`)
  const out = join(cwd, 'tck-fleet')
  const earlier = ['fleet.html', 'fleet.json', 'junit.xml']
  mkdirSync(out)
  for (const name of earlier) writeFileSync(join(out, name), '')
  const env = { KEY: liveKey }
  await command(['fleet', 'targets.yaml', '--plan'], { cwd, env })
  expect(readdirSync(out).toSorted()).toEqual(earlier)
  const { child, ended } = start(['fleet', 'targets.yaml'], { cwd, env })
  await expect.poll(() => existsSync(join(out, 'one/run.log')), { timeout: 20_000, interval: 1 }).toBe(true)
  expect(readdirSync(out)).toEqual(['one'])
  child.kill('SIGTERM')
  await ended
})

test('the plan says what is written to each server at most, and what is created at a platform', async () => {
  const cwd = folderWith(`targets:
  - { name: thorough, target: "http://127.0.0.1:1", keyVariable: KEY, risk: write, thorough: 2 }
  - { name: platform, platformUrl: "http://127.0.0.1:2", platformKeyVariable: KEY, risk: write, group: demo }
  - { name: closed, platformUrl: "http://127.0.0.1:3", platformKeyVariable: KEY, risk: write }
`)
  const { code, stdout } = await command(['fleet', 'targets.yaml', '--plan'], { cwd, env: { KEY: liveKey } })
  expect(stdout).toMatch(/^ {2}thorough {2}http\S+ {2}risk write: at most \d+ writes$/m)
  expect(stdout).toMatch(
    /^ {2}platform {2}http\S+ {2}risk write: creates at most 3 demo accounts in the group demo at /m,
  )
  expect(stdout).toMatch(/^ {2}closed {2}http\S+ {2}risk write: creates nothing$/m)
  expect(code).toBe(0)
})

test('exit 2 for an invalid entry, and nothing is started', async () => {
  const cwd = folderWith('targets:\n  - { name: a, exec: x }\n  - { name: b, exec: y, riks: read }\n')
  const { code, stderr } = await command(['fleet', 'targets.yaml', '--yes'], { cwd })
  expect(stderr).toContain('targets.yaml:3: unknown member `riks`. Did you mean `risk`?')
  expect(code).toBe(2)
  expect(readdirSync(cwd)).toEqual(['targets.yaml'])
})
