import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Report } from '../reports/report.ts'
import { command, emptyFolder } from './command.ts'
import { liveKey, startLiveServer } from './live-server.ts'

const env = { TCK_API_KEY: liveKey }
const nested = Buffer.from(`{"rules":${'['.repeat(100_000)}${']'.repeat(100_000)},"total":0}`)

function readReport(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
}

test('a list that is nested 100,000 deep is a failure of the server, and no rule of the kit stays', async () => {
  let nestedLists = 0
  let hasAdded = false
  const server = await startLiveServer(3, {
    override: () => ({
      finish(response, { method, url }) {
        hasAdded ||= method === 'POST'
        if (method !== 'GET' || url !== '/api/rules' || !hasAdded || nestedLists === 4) return response
        nestedLists += 1
        return { ...response, body: nested }
      },
    }),
  })
  const before = server.rules()
  const folder = emptyFolder()
  const args = [
    'run',
    '--target',
    server.url,
    '--risk',
    'write',
    '--only',
    'plugin.add.created',
    '--only',
    'plugin.add.success',
  ]
  const { code, stdout, stderr } = await command(args, { env, cwd: folder })
  expect(stderr).toBe('')
  expect(stdout).toContain('JSON with more than 100 levels')
  expect(code).toBe(1)
  expect(server.rules()).toEqual(before)
})

test('endless bodies are failures of the server, which is not called unreachable', async () => {
  const server = createServer((_, response) => {
    const write = () => {
      while (!response.destroyed)
        if (!response.write(Buffer.alloc(2 ** 20, ' '))) return void response.once('drain', write)
    }
    write()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = emptyFolder()
  const { code } = await command(['run', '--target', target, '--only', 'plugin.list.ok'], { env, cwd: folder })
  expect(code).toBe(1)
  const failed = readReport(folder).requirements.flatMap(({ checks }) =>
    checks.filter(({ status }) => status === 'failed'),
  )
  expect(failed).toMatchObject([{ actual: 'a body of more than 16 MiB' }])
})
