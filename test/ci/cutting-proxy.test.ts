import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seed, testSize } from '../../fixtures/test-size.ts'
import type { Report } from '../../reports/report.ts'
import { command, emptyFolder } from '../command.ts'
import { type LiveServer, liveKey, startLiveServer } from '../live-server.ts'
import { startProxy } from '../proxy.ts'

/** Twenty in a manual run; a few in each run of the tests. */
const rounds = testSize(2, 20)

const env = { TCK_API_KEY: liveKey }
const only = ['plugin.delete.*', 'plugin.sequence.list', 'plugin.http.*', 'plugin.robust.survives'].flatMap((id) => [
  '--only',
  id,
])

function ledgerIn(folder: string): string | undefined {
  return readdirSync(join(folder, 'tck-report')).find((file) => file.startsWith('ledger-'))
}

/** Repeats restore, like a person would, until the network lets it finish. */
async function restoreThrough(folder: string): Promise<void> {
  const ledger = ledgerIn(folder)
  if (ledger === undefined) return
  for (let time = 0; time < 50; time += 1) {
    const { code } = await command(['restore', '--ledger', join('tck-report', ledger)], { env, cwd: folder })
    if (code === 0) return
    expect(code).toBe(4)
  }
  throw new Error('fifty times were not enough to restore')
}

async function round(server: LiveServer, seed: number) {
  const before = server.rules()
  // From a network that breaks a run once or twice to one that hardly lets a run start.
  const every = [40, 120, 400][seed % 3] ?? 120
  const upstream = new URL(server.url).port
  const proxy = await startProxy('cutting', { UPSTREAM_PORT: upstream, SEED: String(seed), EVERY: String(every) })
  const folder = emptyFolder()
  const args = ['run', '--target', `http://127.0.0.1:${proxy.port}`, '--risk', 'write', '--seed', '1', ...only]
  const { code, stdout, stderr } = await command(args, { env, cwd: folder })
  const cuts = proxy.lines().length
  const where = `seed ${seed}, one in ${every}, ${cuts} cuts, exit ${code}\n${stdout}${stderr}`
  // No other client was active and only the network was at fault.
  expect(cuts === 0 ? [0] : [0, 3, 4], where).toContain(code)
  const file = join(folder, 'tck-report/report.json')
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null
  const statuses = (report?.requirements ?? []).flatMap(({ checks }) => checks.map(({ status }) => status))
  expect(statuses, where).not.toContain('failed')
  expect(statuses, where).not.toContain('error')
  expect(report?.harm?.interference ?? [], where).toEqual([])
  if (code !== 4) expect(server.rules(), where).toEqual(before)
  await restoreThrough(folder)
  expect(server.rules(), where).toEqual(before)
  return { cuts, passed: statuses.filter((status) => status === 'passed').length }
}

test(`${rounds} runs through a network that breaks connections: the server is not blamed, and nothing is lost`, {
  timeout: 900_000,
}, async () => {
  console.info(`seed ${seed}`)
  const ended: { readonly cuts: number; readonly passed: number }[] = []
  for (let i = 0; i < rounds; i += 1) ended.push(await round(await startLiveServer(20), seed + i))
  // Without a broken connection, or without a judged check, the test would show nothing.
  expect(ended.some(({ cuts }) => cuts > 0)).toBe(true)
  expect(ended.some(({ passed }) => passed > 0)).toBe(true)
})
