import { join } from 'node:path'
import { test } from 'vitest'
import { endConnectionAt } from '../../fixtures/ended-connection.ts'
import { programOrSkip } from '../../fixtures/programs.ts'
import { createExecDriver } from '../../suites/targets/exec.ts'
import { emptyFolder } from '../command.ts'

const settings = { parameters: { API_Key: 'k' }, port: 'given', capacity: null } as const

const server = `require('http').createServer((_, response) => response.end('{}')).listen(process.env.TCK_PORT, '127.0.0.1')`

test.skipIf(process.platform !== 'linux').concurrent.for(['first', 'second'] as const)(
  'a server that cannot listen at its %s start because of ended connections is started again after them',
  { timeout: 150_000 },
  async (which, { skip, expect, onTestFinished }) => {
    const python = programOrSkip('python3', skip)
    const driver = createExecDriver({
      command: `exec "${process.execPath}" -e "${server}"`,
      outputFile: join(emptyFolder(), 'server.log'),
      redact: (text) => text,
      ...{ readyMs: 5_000, briefMs: 250, graceMs: 5_000 },
    })
    onTestFinished(() => driver.discardAll())
    const { id, url } = await driver.prepare(settings)
    if (which === 'second') {
      expect(await driver.start(id, 'ready')).toBe(true)
      await driver.crash(id)
    }
    endConnectionAt(Number(new URL(url).port), python)
    expect(await driver.start(id, 'ready')).toBe(true)
  },
)
