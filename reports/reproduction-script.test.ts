import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { buildReport } from './document.ts'
import type { ReportedCheck } from './report.ts'
import { reproductionScript } from './reproduction-script.ts'
import { sampleRun } from './sample-run.test-data.ts'
import { shiftedList } from './shifted-list.test-data.ts'

const check = buildReport(sampleRun(1, { outcomes: [shiftedList('CT-106')] })).requirements.flatMap(({ checks }) =>
  checks.filter(({ id }) => id === 'CT-106'),
)[0] as ReportedCheck
const [before, , after] = check.exchanges.map(({ response }) => response?.body ?? '') as [string, string, string]

/** Runs the script against a server that sends this response. Returns its exit code. */
async function run(failure: ReportedCheck, response: { readonly status: number; readonly body: string }) {
  const server = createServer((_, answer) => answer.writeHead(response.status).end(response.body))
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const script = reproductionScript(failure)?.replaceAll(':8443', `:${port}`) ?? ''
  const child = spawn('sh', { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.end(script)
  const [code] = await once(child, 'exit')
  return code
}

test('the script exits with 1 while the list is wrong, whatever its layout', async () => {
  const laidOut = JSON.stringify(JSON.parse(after), null, 1)
  expect(await run(check, { status: 200, body: laidOut })).toBe(1)
  expect(await run(check, { status: 200, body: before })).toBe(0)
})

test.each([
  ['response.status-not-400', 201, 400],
  ['request.accepted', 201, 500],
  ['response.not-success', 404, 201],
] as const)('the script exits with 1 while the status is wrong: %s', async (code, wrong, right) => {
  const failure = { ...check, code }
  expect(await run(failure, { status: wrong, body: '{ "error": "401" }' })).toBe(1)
  expect(await run(failure, { status: right, body: '{ "error": "401" }' })).toBe(0)
})

test('if a shell cannot judge the response, the script has only the steps', () => {
  expect(reproductionScript({ ...check, code: 'concurrency.unexplained' })).toBe(check.curl)
  expect(reproductionScript({ ...check, curl: null })).toBeNull()
})
