import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Report } from '../reports/report.ts'
import { command, emptyFolder, start } from './command.ts'
import { liveKey, startLiveServer } from './live-server.ts'

const env = { TCK_API_KEY: liveKey }
const nested = Buffer.from(`{"rules":${'['.repeat(100_000)}${']'.repeat(100_000)},"total":0}`)

function readReport(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
}

test('a list that is nested 100,000 levels deep is a failure of the server, and no rule of the kit is left', async () => {
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
  const only = ['--only', 'plugin.add.created', '--only', 'plugin.success-is-true']
  const args = ['run', '--target', server.url, '--risk', 'write', '--verbose', ...only]
  const { code, stdout, stderr } = await command(args, { env, cwd: folder })
  expect(stderr).toBe('')
  expect(stdout).toContain('JSON with more than 100 levels')
  expect(code).toBe(1)
  expect(server.rules()).toEqual(before)
})

test('a server whose list cannot be read after one check fails that check only, and is sent no more changes', async () => {
  let isBroken = false
  const server = await startLiveServer(3, {
    override: ({ parseJson }) => ({
      parseJson(text) {
        isBroken ||= text.includes('NaN')
        return parseJson(text.replace('NaN', '1'))
      },
      finish(response, { method, url }) {
        if (!isBroken || method !== 'GET' || url !== '/api/rules') return response
        return { ...response, body: Buffer.from('{"rules":[{"value":NaN}],"total":1}') }
      },
    }),
  })
  const folder = emptyFolder()
  const only = ['add.invalid-json', 'method.not-allowed', 'delete.*'].flatMap((name) => ['--only', `plugin.${name}`])
  const args = ['run', '--target', server.url, '--risk', 'write', ...only]
  const { code, stdout } = await command(args, { env, cwd: folder })
  expect(code).toBe(5)
  expect(stdout).toContain(
    'the list could not be verified at the end of the run, so it is unknown whether the list was restored',
  )
  const { requirements, harm } = readReport(folder)
  const failed = requirements.filter(({ status }) => status === 'failed').map(({ id }) => id)
  expect(failed).toEqual(['plugin.add.invalid-json'])
  expect(harm).toMatchObject({ rulesBefore: 3, rulesAfter: null, hashAfter: null, restored: false })
  const blocked = requirements.flatMap(({ checks }) => checks).filter(({ status }) => status === 'blocked')
  expect(blocked.length).toBeGreaterThan(0)
  expect(blocked.filter(({ message }) => !message?.includes('the list of the server cannot be read'))).toEqual([])
})

/** A server with this listener; it ends with the test. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('endless bodies are failures of the server, which is not reported as unreachable', async () => {
  const target = await serve((_, response) => {
    const write = () => {
      while (!response.destroyed) {
        if (!response.write(Buffer.alloc(2 ** 20, ' '))) return void response.once('drain', write)
      }
    }
    write()
  })
  const folder = emptyFolder()
  const { code } = await command(['run', '--target', target, '--only', 'plugin.list.ok'], { env, cwd: folder })
  expect(code).toBe(1)
  const judged = readReport(folder).requirements.find(({ id }) => id === 'plugin.list.ok')
  expect(judged?.checks).toMatchObject([{ status: 'failed', actual: 'a body of more than 16 MiB' }])
})

test('SIGTERM ends a run that only reads at once, even during a slow response', async () => {
  const server = await startLiveServer(2)
  let lists = 0
  let hold = () => {}
  const held = new Promise<void>((resolve) => {
    hold = resolve
  })
  const target = await serve((request, response) => {
    const { url = '', headers } = request
    if (url === '/api/rules') lists += 1
    // The first list is read before the run, the second one by a check.
    if (lists === 2) return hold()
    void fetch(server.url + url, { headers: { 'X-API-Key': String(headers['x-api-key']) } }).then(async (answer) => {
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text())
    })
  })
  const running = start(['run', '--target', target, '--only', 'plugin.list.ok', '--timeout', '3600000'], { env })
  await held
  lists += 1
  running.child.kill('SIGTERM')
  expect(await running.ended).toMatchObject({ code: 3, stdout: expect.stringContaining('0 of 2 rules changed') })
})
