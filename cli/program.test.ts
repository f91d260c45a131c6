import { Command, Help } from 'commander'
import { expect, test } from 'vitest'
import { runOptions } from './options/run-definitions.ts'
import { helpLayout } from './program.ts'
import { runCommand } from './run/command.ts'

function helpOfRun(): readonly string[] {
  const program = new Command().configureHelp({ ...helpLayout, helpWidth: 80 })
  return runCommand().copyInheritedSettings(program).helpInformation().split('\n')
}

test('the help of run shows ten options first and the rest under headings', () => {
  const lines = helpOfRun()
  const [, ...headings] = new Set(runOptions().map(({ helpGroupHeading }) => helpGroupHeading))
  const start = lines.indexOf('Options:')
  const end = lines.indexOf(headings[0] ?? '')
  const options = lines.slice(start, end).flatMap((line) => /^ {2}(?:-\w, )?--([\w-]+)/.exec(line)?.[1] ?? [])
  expect(options).toEqual('target exec container api-key platform-url risk only baseline plan out help'.split(' '))
  expect(end).toBeLessThanOrEqual(24)
  for (const heading of headings) expect(lines).toContain(heading)
})

test('no line of the help is wider than a terminal', () => {
  expect(helpOfRun().filter((line) => line.length > 80)).toEqual([])
})

test('the description of a long option starts on its own line', () => {
  const command = new Command().option('--an-option-with-a-long-name <value>', 'Does it').option('-s', 'Short')
  const text = command.configureHelp(helpLayout).helpInformation()
  expect(text).toMatch(/\n {2}--an-option-with-a-long-name <value>\n {4,}Does it\n/)
  expect(new Help().padWidth(command, new Help())).toBeGreaterThan(24)
})
