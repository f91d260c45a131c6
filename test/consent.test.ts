import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { emptyFolder } from './command.ts'
import { liveKey, startLiveServer } from './live-server.ts'
import { atTerminal, startInTerminal } from './terminal.ts'

const writesOf = (methods: readonly string[]) =>
  methods.filter((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method))

atTerminal.for(['| tee log', '2>&1 | tee log', '> log'])(
  'a run asks before it writes, also if its output goes on: %s',
  async (redirect) => {
    const server = await startLiveServer(3, { capacity: 20 })
    const args = ['run', '--target', server.url, '--risk', 'exclusive', '--only', 'plugin.capacity.*']
    const cwd = emptyFolder()
    const terminal = startInTerminal(args, { cwd, apiKey: liveKey, redirect })
    const question = await terminal.shown(/Continue\?/)
    expect(question).toContain('which has 3 rules')
    expect(question).toMatch(/It fills the list until a rule is rejected, with up to 2000 rules/)
    expect(question).toMatch(/A dry run against the simulator sent \d+ writes/)
    terminal.press('n')
    const { screen } = await terminal.ended
    expect(screen).toContain('Nothing was written.')
    expect(writesOf(server.methods)).toEqual([])
  },
)

atTerminal('a confirmed run writes, and its output is where it was sent', async () => {
  const server = await startLiveServer(3)
  const args = ['run', '--target', server.url, '--risk', 'write', '--only', 'plugin.add.created']
  const cwd = emptyFolder()
  const terminal = startInTerminal(args, { cwd, apiKey: liveKey, redirect: '> log' })
  expect(await terminal.shown(/Continue\?/)).not.toContain('fills the list')
  terminal.press('y')
  await terminal.ended
  expect(writesOf(server.methods)).not.toEqual([])
  expect(readFileSync(join(cwd, 'log'), 'utf8')).toContain('0 of 3 rules changed')
})
