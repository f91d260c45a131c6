import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { emptyFolder } from '../../test/command.ts'
import { runOnChange } from './monitor.ts'

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
  expect(lines).toEqual([expect.stringMatching(/^`--on-change` failed: .*\.\n$/)])
  expect(lines[0]).toMatch(reason)
})
