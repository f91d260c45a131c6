import { expect, test } from 'vitest'
import { command, start } from './command.ts'

const key = 'a-key-of-my-own'

test('--keep-server leaves the server of the last check in its final state until Ctrl-C', async () => {
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

test.for([
  [['--target', 'http://127.0.0.1:9'], { TCK_API_KEY: key }, 'requires a server that the kit starts'],
  [[], {}, 'requires an API key'],
] as const)('--keep-server with %j is a usage error', async ([args, env, message]) => {
  const { code, stderr } = await command(['run', '--keep-server', ...args], { env })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})
