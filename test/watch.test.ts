import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { command, emptyFolder, start } from './command.ts'

const servers = new URL('../fixtures/servers/', import.meta.url)

test('--watch judges the server again after each change, starting with what failed, and ends with the last exit code', async () => {
  const cwd = emptyFolder()
  const edit = (text: string) => writeFileSync(join(cwd, 'server.mjs'), text)
  const serve = (name: string) => edit(`import ${JSON.stringify(fileURLToPath(new URL(name, servers)))}\n`)
  serve('faulty.mjs')
  const args = ['run', '--watch', '--exec', 'node server.mjs', '--only', 'CT-10?', '--only', 'CT-511', '--verbose']
  const running = start(args, { cwd })
  const rounds = (count: number) => running.printed(new RegExp(`(Watching this folder\\.[\\s\\S]*){${count}}`))
  await rounds(1)
  edit('this is no program')
  await rounds(2)
  serve('plain.mjs')
  await rounds(3)
  running.child.stdin?.write('\n')
  await rounds(4)
  running.child.kill('SIGINT')

  const { code, stdout, stderr } = await running.ended
  expect(code).toBe(0)
  expect(stderr).toContain('SyntaxError')
  const printed = stdout.split(/\n(?:server\.mjs changed|Enter was pressed)\. /)
  expect(printed.map((round) => [/^Running.*/.exec(round)?.[0], /^\w+ +CT-\d+/m.exec(round)?.[0]])).toEqual([
    [undefined, 'passed       CT-101'],
    // The server does not start.
    ['Running again, first what failed.', undefined],
    ['Running again, first what failed.', 'passed       CT-511'],
    ['Running again.', 'passed       CT-101'],
  ])
})

test.for([
  [['--watch'], 'requires `--exec`'],
  [['--watch', 'missing', '--exec', 'true'], 'missing does not exist'],
  [['--watch', '.', '--out', './', '--exec', 'true'], '`--watch` and `--out` are the same folder'],
] as const)('%j is a usage error', async ([args, message]) => {
  const { code, stderr } = await command(['run', ...args])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})
