import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Report } from '../../reports/report.ts'
import { command, emptyFolder, start } from '../command.ts'

const key = 'a-key-of-my-own'

test('--keep-server leaves the server of a check that passed in its final state until Ctrl-C', async () => {
  const args = ['run', '--only', 'CT-608', '--keep-server', '--reporter', 'json']
  const running = start(args, { env: { TCK_API_KEY: key } })
  const [, url] = await running.printed(/The server of CT-608 runs at (\S+)\. Press Ctrl-C/)
  const response = await fetch(`${url}/api/rules`, { headers: { 'X-API-Key': key, 'Connection': 'close' } })
  // The server started with an empty list.
  const { total } = (await response.json()) as { total: number }
  expect(total).toBeGreaterThan(0)
  running.child.kill('SIGINT')
  const { code, stdout } = await running.ended
  expect(code, stdout).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'partial' })
  await expect(fetch(`${url}/api/rules`)).rejects.toThrow()
})

const faulty = fileURLToPath(new URL('../../fixtures/servers/faulty.mjs', import.meta.url))

test.for<[fault: string, check: string]>([
  ['delete-moves-last-into-hole', 'CT-511'],
  ['value-rounded-to-cents', 'CT-118'],
  // Of a server that the check starts itself.
  ['total-off-by-one-after-delete', 'CT-305'],
])(
  '--keep-server leaves a server with the fault %s in the state in which the script of %s shows it',
  async ([fault, check]) => {
    const cwd = emptyFolder()
    const env = { TCK_API_KEY: key }
    const exec = `FAULTS=${fault} exec "${process.execPath}" "${faulty}"`
    const args = ['run', '--exec', exec, '--only', check, '--seed', '1', '--reporter', 'json']
    const { stdout, stderr } = await command(args, { env, cwd })
    expect(stdout, stderr).not.toContain(key)
    const script = scriptOf(stdout, check)
    const running = start([...args, '--keep-server'], { env, cwd: emptyFolder() })
    const [, url = ''] = await running.printed(/runs at (\S+), in the state before the failure\./)
    const { status, stdout: printed } = spawnSync('sh', ['-s', url], { input: script, env: { ...process.env, ...env } })
    expect({ status, printed: String(printed) }).toEqual({
      status: 1,
      printed: expect.stringMatching(/^The fault is shown/),
    })
    running.child.kill('SIGINT')
    expect(scriptOf((await running.ended).stdout, check).replace(/^url=.*$/m, '')).toBe(script.replace(/^url=.*$/m, ''))
  },
)

function scriptOf(json: string, check: string): string {
  const { requirements } = JSON.parse(json) as Report
  return requirements.flatMap(({ checks }) => checks).find(({ id }) => id === check)?.script ?? ''
}

test.for([
  [['--target', 'http://127.0.0.1:9'], { TCK_API_KEY: key }, 'requires a server that the kit starts'],
  [[], {}, 'requires an API key'],
] as const)('--keep-server with %j is a usage error', async ([args, env, message]) => {
  const { code, stderr } = await command(['run', '--keep-server', ...args], { env })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})
