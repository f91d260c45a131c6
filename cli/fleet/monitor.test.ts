import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isAlive } from '../../suites/safety/process-alive.ts'
import { signalProcess } from '../../suites/targets/shell.ts'
import { emptyFolder } from '../../test/command.ts'
import { reportOf } from '../baseline/sample-baseline.test-data.ts'
import { changeLines, changesSince, runOnChange } from './monitor.ts'
import { fleetOf } from './sample-fleet.test-data.ts'

/** Captures what is printed to stderr during the test. */
function printed(): readonly string[] {
  const lines: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((line) => Boolean(lines.push(String(line))))
  onTestFinished(() => spy.mockRestore())
  return lines
}

test('the command gets the line on its stdin', async () => {
  const lines = printed()
  const file = join(emptyFolder(), 'line')
  await runOnChange('cat > "$FILE"', '{"kind":"fix"}', { ...process.env, FILE: file })
  expect(readFileSync(file, 'utf8')).toBe('{"kind":"fix"}\n')
  expect(lines).toEqual([])
})

test.for([
  ['exits with another code than 0', 'exit 3', /exit code 3/],
  ['is killed', 'kill -9 $$', /SIGKILL/],
  ['cannot be started', 'x'.repeat(2 ** 22), /E2BIG/],
] as const)('a command that %s is reported and does not throw', async ([, command, reason]) => {
  const lines = printed()
  await runOnChange(command, 'a line that is not read', process.env)
  expect(lines).toEqual([expect.stringMatching(/^`--on-change` failed.*\.\n$/)])
  expect(lines[0]).toMatch(reason)
})

test('a command that does not end is killed with its children', async () => {
  const lines = printed()
  const file = join(emptyFolder(), 'child')
  await runOnChange('sleep 60 & echo $! > "$FILE"; wait', 'a line', { ...process.env, FILE: file }, 500)
  expect(lines).toEqual(['`--on-change` did not end within 500 ms and was killed.\n'])
  const child = Number(readFileSync(file, 'utf8'))
  onTestFinished(() => signalProcess(child, 'SIGKILL'))
  await expect.poll(() => isAlive(child)).toBe(false)
})

test('a previous report that another version wrote is reported, and does not end the monitoring', () => {
  const lines = printed()
  const previous = join(emptyFolder(), 'previous.json')
  writeFileSync(previous, '{"schema":"copytrade-tck/report@0"}')
  expect(changesSince(previous, reportOf([]), 'a')).toEqual([])
  expect(lines).toEqual([
    expect.stringContaining(`a is not compared with its previous run: ${previous} is not a report`),
  ])
})

test('another exit code is a change even if the verdict is the same', () => {
  const [install] = fleetOf(['a'], null, 1).installs
  if (install === undefined) throw new Error('the fleet has no install')
  const before = { ...install, exitCode: 0 }
  const kinds = (last: typeof install | null) => changeLines(install, last, []).map((line) => JSON.parse(line))
  expect(kinds(before)).toMatchObject([
    { kind: 'exit-code', subject: 'exit code', before: '0', after: '1', exitCode: 1 },
  ])
  expect(kinds({ ...before, verdict: 'partial' })).toMatchObject([{ kind: 'verdict', before: 'partial' }])
  expect(kinds(null)).toMatchObject([{ kind: 'verdict', before: null }])
  expect(kinds(install)).toEqual([])
})
