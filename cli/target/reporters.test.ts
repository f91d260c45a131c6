import { expect, test } from 'vitest'
import { plain } from '../../reports/paint.ts'
import { notRun, type Outcome, passed, type Status } from '../../suites/runner/outcome.ts'
import type { ReporterName } from '../options/run-options.ts'
import { reporters } from './reporters.ts'

function outcomeOf(status: Status, at: number): Outcome {
  return { ...notRun(`CT-${100 + at}`, 'blocked', ''), ...passed, status }
}

function printed(reporter: ReporterName, statuses: readonly Status[], terminal = {}, leftMs = 0): string {
  let text = ''
  const write = (part: string) => {
    text += part
    return true
  }
  const stream = { write, ...terminal } as NodeJS.WriteStream
  const titles = new Map(statuses.map((_, at) => [`CT-${100 + at}`, `Title ${at}`]))
  const timeLeft = { done: () => undefined, leftMs: () => leftMs }
  const progress = reporters[reporter]({ stream, paint: plain, total: statuses.length, titles, timeLeft })
  for (const [at, status] of statuses.entries()) progress.show(outcomeOf(status, at))
  progress.end?.()
  return text
}

const many = Array.from({ length: 355 }, (_, at): Status => (at === 200 ? 'failed' : 'passed'))

test('a log gets a line after every tenth of the checks and for each failure', () => {
  const lines = printed('line', many).trim().split('\n')
  expect(lines).toHaveLength(11)
  expect(lines.slice(4, 7).map((line) => line.trim())).toEqual([
    '50 %  178/355  178 passed',
    'failed       CT-300 Title 200',
    '60 %  213/355  212 passed, 1 failed',
  ])
})

test('a plan of three checks has no line twice', () => {
  expect(printed('line', ['passed', 'blocked', 'passed']).split('\n')).toEqual([
    ' 30 %  1/3  1 passed',
    ' 60 %  2/3  1 passed, 1 blocked',
    '100 %  3/3  2 passed, 1 blocked',
    '',
  ])
})

test('a terminal gets one rewritten line, no wider than the terminal, with failures above it', () => {
  const text = printed('line', many, { isTTY: true, columns: 40, clearLine: () => true, cursorTo: () => true })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal gets them
  const shown = text.split(/\u001b\[2K\u001b\[1G|\n/)
  expect(shown).toContain('failed       CT-300 Title 200')
  expect(shown.filter((line) => line.startsWith('355/355'))).toHaveLength(1)
  expect(Math.max(...shown.map(({ length }) => length))).toBeLessThan(40)
})

test('list names each check, dot prints a letter for each, json and quiet print nothing', () => {
  const statuses: readonly Status[] = ['passed', 'failed', 'error', 'blocked', 'out-of-scope']
  expect(printed('list', statuses)).toMatch(/^passed {7}CT-100 Title 0\nfailed {7}CT-101 /)
  expect(printed('dot', statuses)).toBe('.FEB- 5/5\n')
  expect(printed('json', statuses) + printed('quiet', statuses)).toBe('')
})

test('a terminal shows the remaining time of a long run; a log does not', () => {
  const terminal = { isTTY: true, columns: 80, clearLine: () => true, cursorTo: () => true }
  expect(printed('line', ['passed'], terminal, 840_000)).toContain('1/1  1 passed  about 14 min left  CT-100 Title 0')
  expect(printed('line', ['passed'], terminal, 9_000)).toContain('1/1  1 passed  CT-100 Title 0')
  expect(printed('line', ['passed'], {}, 840_000)).not.toContain('left')
})
