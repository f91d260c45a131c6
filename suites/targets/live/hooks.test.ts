import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createRedactor } from '../../../http/redact.ts'
import type { LedgerEntry } from '../../safety/ledger.ts'
import { createHooks, type HookCommands, type HookOptions } from './hooks.ts'
import { asBefore, type Parameters } from './step.ts'

const key = 'a-key-that-nobody-may-see'
const parameters: Parameters = { API_Key: key, API_Port: '8443', Copy_1: '1>2,mult,1,same', Licence: 'x' }

function hooksOf(commands: HookCommands, more: Partial<HookOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const outputFile = join(folder, 'hooks.log')
  const started: [string, number][] = []
  const append = (entry: LedgerEntry) => {
    if (entry.event === 'hook') started.push([entry.step, entry.pid])
  }
  const hooks = createHooks({
    commands,
    url: 'http://192.0.2.7:18443/plugin',
    parameters,
    limitMs: 5_000,
    redact: createRedactor([key]),
    ledger: { file: join(folder, 'ledger.jsonl'), append, close: () => undefined },
    ...more,
  })
  return { folder, hooks, started, log: () => readFileSync(outputFile, 'utf8') }
}

test('a hook gets the port, the address, and a file with the desired parameters', async () => {
  vi.stubEnv('TCK_API_KEY', key)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { hooks, log } = hooksOf({
    'set-parameters':
      'echo "$TCK_TARGET $TCK_PORT [$TCK_DATA_DIR] [$TCK_API_KEY]"; cat "$TCK_PARAMETERS"; ls -l "$TCK_PARAMETERS"',
  })
  const desired = { apiKey: { value: 'another-key' }, copy: { Copy_9: '3>4,mult,1,same' } }
  await hooks.carryOut(['set-parameters'], desired, 'check')
  expect(log()).toContain('http://192.0.2.7:18443/plugin 18443 [] []')
  expect(log()).toContain('-rw-------')
  const written = /\{[^}]*\}/.exec(log())?.[0] ?? ''
  expect(JSON.parse(written)).toEqual({
    API_Key: 'another-key',
    API_Port: '8443',
    Copy_9: '3>4,mult,1,same',
    Licence: 'x',
  })
})

test.for([
  ['http://192.0.2.7', '80'],
  ['https://192.0.2.7/plugin', '443'],
] as const)('at the address %s a hook gets the port %s', async ([url, port]) => {
  const { hooks, log } = hooksOf({ restart: 'echo "[$TCK_PORT]"' }, { url })
  await hooks.carryOut(['restart'], asBefore, 'check')
  expect(log()).toContain(`[${port}]`)
})

test('the output of a hook is logged without the key, and the file with the parameters is removed afterwards', async () => {
  const { folder, hooks, log } = hooksOf({ restart: 'echo "$TCK_PARAMETERS"; cat "$TCK_PARAMETERS"' })
  await hooks.carryOut(['restart'], asBefore, 'check')
  expect(log()).toContain('"API_Key": "[redacted]"')
  const [file = ''] = /\S+parameters\.json/.exec(log()) ?? []
  expect(file).toBe(join(folder, `ledger.jsonl.${process.pid}.private`, 'parameters.json'))
  expect(existsSync(dirname(file))).toBe(false)
})

test('without given parameters a hook gets none', async () => {
  const { hooks, log } = hooksOf({ restart: 'echo "[$TCK_PARAMETERS]"' }, { parameters: null })
  await hooks.carryOut(['restart'], asBefore, 'check')
  expect(log()).toBe('# --hook-restart: exit code 0\n[]\n')
})

test('steps are done in order, and each start is reported', async () => {
  const { hooks, started, log } = hooksOf({ stop: 'echo down', start: 'echo up' })
  await hooks.carryOut(['stop', 'start'], asBefore, 'check')
  expect(log()).toMatch(/down[\s\S]*up/)
  expect(started.map(([step]) => step)).toEqual(['stop', 'start'])
})

test.for([
  ['exit 7', /^--hook-stop failed with exit code 7; it printed nothing$/],
  ['printf "1\\n2\\n3\\n4\\n5\\n6\\n"; exit 1', /failed with exit code 1; it printed last:\n2\n3\n4\n5\n6$/],
  [`echo the key is ${key} >&2; exit 1`, /the key is \[redacted\]$/],
  ['kill -9 $$', /failed with signal SIGKILL/],
] as const)('a failed hook is named with its end and its last output: %s', async ([command, message]) => {
  const { hooks } = hooksOf({ stop: command })
  const failure = await hooks.carryOut(['stop'], asBefore, 'check').catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'StepFailed', message: expect.stringMatching(message) })
})

test('a hook that hangs is killed with all its child processes', async () => {
  const { hooks, folder } = hooksOf({ restart: 'sleep 600 & echo $! > "$PIDS"; echo waiting; wait' }, { limitMs: 200 })
  const pids = join(folder, 'pids')
  vi.stubEnv('PIDS', pids)
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(hooks.carryOut(['restart'], asBefore, 'check')).rejects.toThrow(
    '--hook-restart did not end within 200 ms and was killed; it printed last:\nwaiting',
  )
  const state = () => readFileSync(`/proc/${readFileSync(pids, 'utf8').trim()}/stat`, 'utf8')
  if (process.platform === 'linux') await vi.waitFor(() => expect(tried(state)).toMatch(/\) Z |gone/))
})

function tried(read: () => string): string {
  try {
    return read()
  } catch {
    return 'gone'
  }
}

test('a server that a hook starts keeps running, and the hook ends', async () => {
  const { hooks, folder } = hooksOf({ start: 'sleep 600 & echo $! > "$PIDS"' })
  const pids = join(folder, 'pids')
  vi.stubEnv('PIDS', pids)
  onTestFinished(() => void vi.unstubAllEnvs())
  await hooks.carryOut(['start'], asBefore, 'check')
  const pid = Number(readFileSync(pids, 'utf8'))
  expect(() => process.kill(pid, 0)).not.toThrow()
  process.kill(pid, 'SIGKILL')
})
