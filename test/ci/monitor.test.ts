import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Fleet } from '../../cli/fleet-document.ts'
import { command, emptyFolder, start } from '../command.ts'
import { liveKey, startLiveServer } from '../live-server.ts'

/** A folder with a file of targets. */
function folderWith(...targets: readonly string[]): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'targets.yaml'), ['targets:', ...targets.map((target) => `  - ${target}`), ''].join('\n'))
  return folder
}

test('--every reports each change of a verdict, and only reads', async () => {
  let isFaulty = false
  const override = () => ({
    finish: <Answer extends { status: number }>(answer: Answer) => (isFaulty ? { ...answer, status: 202 } : answer),
  })
  const [good, changing] = [await startLiveServer(3), await startLiveServer(3, { override })]
  const entry = (name: string, url: string) =>
    `{ name: ${name}, target: "${url}", keyVariable: KEY, only: plugin.status.* }`
  const cwd = folderWith(entry('good', good.url), entry('changing', changing.url))
  const args = ['fleet', 'targets.yaml', '--every', '1s', '--metrics', '0', '--on-change', 'cat >> changes.jsonl']
  const running = start(args, { cwd, env: { KEY: liveKey } })
  const [, url = ''] = await running.printed(/Metrics: (\S+)/)
  await running.printed(/"install":"good"[\s\S]*2 partial/)
  const metrics = await (await fetch(url)).text()
  expect(metrics).toContain('copytrade_tck_verdict{install="good",verdict="partial"} 1')
  expect(metrics).toContain('copytrade_tck_failures{install="changing",level="required"} 0')
  expect(metrics).toMatch(/copytrade_tck_response_seconds\{install="good",operation="GET \/api\/status"\} [\d.]+/)

  isFaulty = true
  await running.printed(/"kind":"regression"/)
  await changing.crash()
  await running.printed(/"after":"not judged"/)
  running.child.kill('SIGTERM')
  const { code, stdout, stderr } = await running.ended
  // The worst result of the last runs: one server is down.
  expect(code).toBe(4)
  expect(readFileSync(join(cwd, 'changes.jsonl'), 'utf8')).toBe(stdout)
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string | null>)
  const verdicts = lines.filter(({ install, kind }) => install === 'changing' && kind === 'verdict')
  expect(verdicts.map(({ before, after }) => [before, after])).toEqual([
    [null, 'partial'],
    ['partial', 'non-conformant'],
    ['non-conformant', 'not judged'],
  ])
  expect(`${stdout}${stderr}${metrics}`).not.toContain(liveKey)
  expect(
    new Set([...good.methods, ...changing.methods].filter((method) => !/^(GET|HEAD|OPTIONS)$/.test(method))),
  ).toEqual(new Set())

  // It continues from the state that the last process left, also if another version wrote a report of it.
  writeFileSync(join(cwd, 'tck-fleet/good/report.json'), '{}')
  const again = start(args, { cwd, env: { KEY: liveKey } })
  await changing.restart()
  isFaulty = false
  await again.printed(/"kind":"fix"/)
  again.child.kill('SIGTERM')
  const continued = await again.ended
  expect(continued.stdout).not.toContain('"install":"good"')
  expect(continued.stderr).toContain('good is not compared with its previous run: ')
})

test('installs that an interrupted first round did not reach are not judged, exit code 3', async () => {
  const { url } = await startLiveServer(1)
  const entry = (name: string, target: string) =>
    `{ name: ${name}, target: "${target}", keyVariable: KEY, only: CT-201 }`
  const cwd = folderWith(entry('a', url), entry('b', 'http://127.0.0.1:9'), entry('c', 'http://127.0.0.1:10'))
  const args = ['fleet', 'targets.yaml', '--every', '1h', '--concurrency', '1', '--out', 'out']
  const running = start([...args, '--on-change', 'sleep 1'], { cwd, env: { KEY: liveKey } })
  await running.printed(/"install":"a"/)
  running.child.kill('SIGTERM')
  const { code, stderr } = await running.ended
  const fleet = JSON.parse(readFileSync(join(cwd, 'out/fleet.json'), 'utf8')) as Fleet
  expect(fleet.installs.map(({ name, exitCode }) => [name, exitCode])).toEqual([
    ['a', 0],
    ['b', 3],
    ['c', 3],
  ])
  expect({ code, exitCode: fleet.exitCode }).toEqual({ code: 3, exitCode: 3 })
  expect(stderr).toContain('3 installs: 1 partial, 2 not judged. Exit code 3.')
  // The next process has not seen them yet.
  const again = start(args, { cwd, env: { KEY: liveKey } })
  await again.printed(/"install":"c".*"before":null/)
})

/** Every reading of the system clock is an hour before the last one. */
const clock = `let behind = 0
const RealDate = Date
const now = () => RealDate.now() - (behind += 3_600_000)
globalThis.Date = class extends RealDate {
  constructor(...given) { super(...(given.length > 0 ? given : [now()])) }
  static now() { return now() }
}`

test('a clock that is set back delays no round and makes no duration negative', async () => {
  const { url } = await startLiveServer(1)
  const cwd = folderWith(`{ name: a, target: "${url}", keyVariable: KEY, only: CT-201 }`)
  const env = { KEY: liveKey, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(clock)}` }
  const running = start(['fleet', 'targets.yaml', '--every', '1s', '--out', 'out'], { cwd, env })
  await running.printed(/1 partial[\s\S]*1 partial/)
  running.child.kill('SIGTERM')
  await running.ended
  const durationOf = (path: string) => JSON.parse(readFileSync(join(cwd, path), 'utf8')).durationMs
  expect(durationOf('out/fleet.json')).toBeGreaterThan(0)
  expect(durationOf('out/a/report.json')).toBeGreaterThan(0)
  const fleet = JSON.parse(readFileSync(join(cwd, 'out/fleet.json'), 'utf8')) as Fleet
  expect(fleet.installs[0]?.durationMs).toBeGreaterThan(0)
})

test.for([
  [['--every', '1m'], 'a, b.'],
  [['--every', '1'], 'Give a time from'],
  [['--metrics', '0'], 'require `--every`'],
] as const)('%j is a usage error for servers that may be written to', async ([args, message]) => {
  const at = 'target: "http://127.0.0.1:9", keyVariable: KEY'
  const other = 'target: "http://127.0.0.1:10", keyVariable: KEY'
  const cwd = folderWith(`{ name: a, ${at}, risk: write }`, `{ name: b, ${other}, hookRestart: "true" }`)
  const { code, stderr } = await command(['fleet', 'targets.yaml', ...args], { cwd, env: { KEY: liveKey } })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})
