import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePort } from '../fixtures/free-port.ts'
import { testSize } from '../fixtures/test-size.ts'
import { command, emptyFolder, start } from './command.ts'

const key = 'a-key-that-nobody-may-see'
/** Each kill happens at a different one of seven moments. */
const kills = testSize(3, 50)

async function ask(url: string, path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}${path}`, { ...init, headers: { 'X-API-Key': key, Connection: 'close' } })
  return { status: response.status, body: await response.json() }
}

const rule = (follower: number) => JSON.stringify({ master: 1001, follower, mode: 'mult', value: 1, direction: 'same' })

async function serve(args: readonly string[], cwd = emptyFolder()) {
  const running = start(['simulate', '--port', '0', ...args], { cwd })
  const [, url = ''] = await running.printed(/"url":"([^"]+)"/)
  return { ...running, url }
}

test('it serves with the parameters of the command line until SIGTERM, and its log is JSON without the key', async () => {
  const parameters = ['--param', 'Copy_1=1001>2001,mult,1.0,same', '--param', 'Copy_2=1001>2002,fixed,2,reverse']
  const { url, child, ended } = await serve(['--api-key', key, '--data-dir', 'd', ...parameters, '--capacity', '3'])
  expect(await ask(url, '/api/rules')).toMatchObject({ status: 200, body: { total: 2 } })
  expect(await ask(url, '/api/rules', { method: 'POST', body: rule(3) })).toMatchObject({ status: 201 })
  expect(await ask(url, '/api/rules', { method: 'POST', body: rule(4) })).toMatchObject({ status: 500 })
  child.kill('SIGTERM')
  const { code, stdout, stderr } = await ended
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain(key)
  const entries = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string })
  expect(entries.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['serving', 'request', 'stopping']))
})

test('Ctrl-C also stops it, and the rules are there after the next start', async () => {
  const folder = emptyFolder()
  const first = await serve(['--api-key', key, '--data-dir', 'd'], folder)
  await ask(first.url, '/api/rules', { method: 'POST', body: rule(2001) })
  first.child.kill('SIGINT')
  expect(await first.ended).toMatchObject({ code: 0 })
  const second = await serve(['--api-key', key, '--data-dir', 'd'], folder)
  expect(await ask(second.url, '/api/rules')).toMatchObject({ body: { rules: [{ index: 0, follower: 2001 }] } })
})

test('the log names parameters that have no effect, such as one in another case', async () => {
  const { url, child, ended } = await serve(['--api-key', key, '--param', 'copy_1=1>2,mult,1,same'])
  expect(await ask(url, '/api/rules')).toMatchObject({ body: { total: 0 } })
  child.kill('SIGTERM')
  expect((await ended).stdout).toMatch(
    /"level":40,.*"parameters":\["copy_1"\],"msg":"these have no effect: the plugin reads API_Key, API_Port and Copy_N"/,
  )
})

test('parameters come from a file, and --param overrides it', async () => {
  const folder = emptyFolder()
  const parameters = { API_Key: key, Copy_1: '1>2,mult,1,same', Copy_2: '3>4,mult,1,same' }
  writeFileSync(join(folder, 'p.json'), JSON.stringify(parameters))
  const { url } = await serve(['--params', 'p.json', '--param', 'Copy_2=5>6,fixed,1,same'], folder)
  expect(await ask(url, '/api/rules')).toMatchObject({ body: { rules: [{ master: 1 }, { master: 5 }] } })
})

test('it reads the variables of --exec', async () => {
  const folder = emptyFolder()
  const port = await freePort()
  writeFileSync(join(folder, 'p.json'), JSON.stringify({ API_Key: key }))
  const env = { TCK_PORT: String(port), TCK_DATA_DIR: join(folder, 'data'), TCK_PARAMETERS: join(folder, 'p.json') }
  await start(['simulate'], { cwd: folder, env }).printed(/"msg":"serving"/)
  expect(await ask(`http://127.0.0.1:${port}`, '/api/status')).toMatchObject({ body: { api_port: port } })
})

test('with --defect it has that defect and no other, and says so', async () => {
  const { url, printed } = await serve(['--api-key', key, '--defect', 'delete.moves-last-into-gap'])
  await printed(/"defect":"delete.moves-last-into-gap"/)
  for (const follower of [1, 2, 3, 4]) await ask(url, '/api/rules', { method: 'POST', body: rule(follower) })
  await ask(url, '/api/rules/1', { method: 'DELETE' })
  const { body } = await ask(url, '/api/rules')
  expect((body as { rules: { follower: number }[] }).rules.map(({ follower }) => follower)).toEqual([1, 4, 3])
})

test('with several defects it has all of them, also those of one hook', async () => {
  const defects = ['delete.moves-last-into-gap', 'status.port-zero', 'delete.removes-the-next']
  const { url } = await serve(['--api-key', key, ...defects.flatMap((id) => ['--defect', id])])
  for (const follower of [1, 2, 3, 4]) await ask(url, '/api/rules', { method: 'POST', body: rule(follower) })
  await ask(url, '/api/rules/1', { method: 'DELETE' })
  const { body } = await ask(url, '/api/rules')
  expect((body as { rules: { follower: number }[] }).rules.map(({ follower }) => follower)).toEqual([1, 2, 4])
  expect(await ask(url, '/api/status')).toMatchObject({ body: { api_port: 0 } })
})

test('the variable TCK_DEFECT holds several defects separated by commas, or none if it is empty', async () => {
  const simulate = (TCK_DEFECT: string) => start(['simulate', '--port', '0', '--api-key', key], { env: { TCK_DEFECT } })
  const wrong = simulate('status.port-zero, delete.moves-last-into-gap')
  await wrong.printed(/"defect":"status.port-zero"/)
  await wrong.printed(/"defect":"delete.moves-last-into-gap"/)
  await simulate('').printed(/"msg":"serving"/)
})

test('with --profile it behaves as the profile says, also with a defect, and lists what the profile does not know', async () => {
  const folder = emptyFolder()
  const answers = 'plugin.index.base: 1\n    plugin.path.case: not-known'
  writeFileSync(join(folder, 'p.yaml'), `plugin:\n  capacity: 4\n  answers:\n    ${answers}\n`)
  const more = ['--profile', 'p.yaml', '--defect', 'delete.moves-last-into-gap']
  const { url, printed } = await serve(['--api-key', key, ...more], folder)
  await printed(/"questions":\["plugin.path.case"\]/)
  for (const follower of [1, 2, 3, 4]) await ask(url, '/api/rules', { method: 'POST', body: rule(follower) })
  expect(await ask(url, '/api/rules', { method: 'POST', body: rule(5) })).toMatchObject({ status: 500 })
  await ask(url, '/api/rules/2', { method: 'DELETE' })
  const { body } = await ask(url, '/api/rules')
  expect((body as { rules: { follower: number }[] }).rules.map(({ follower }) => follower)).toEqual([1, 4, 3])
})

test('an invalid profile: exit 2, with the line and the nearest name', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'p.yaml'), 'plugin:\n  answers:\n    plugin.index.bass: 1\n')
  const { code, stderr } = await command(['simulate', '--api-key', 'k', '--profile', 'p.yaml'], { cwd: folder })
  expect(stderr).toContain('p.yaml:3: unknown member `plugin.index.bass`. Did you mean `plugin.index.base`?')
  expect(code).toBe(2)
})

const documented = (apiKey: string) => ({ 'Authorization': `Bearer ${apiKey}`, 'Content-Type': 'application/json' })

test('it serves the platform API next to the plugin, with a key pair that it prints once and never logs', async () => {
  const folder = emptyFolder()
  const args = ['simulate', '--port', '0', '--platform-port', '0', '--api-key', 'k', '--data-dir', 'd']
  const first = start(args, { cwd: folder })
  const [line] = await first.printed(/\{"platform":.*\}/)
  const { url, apiKey, apiSecret } = JSON.parse(line).platform
  const body = JSON.stringify({ name: 'Ada', group: 'demo', leverage: 100, currency: 'USD', balance: 1000.5 })
  const made = await fetch(`${url}/v1/trading-accounts`, { method: 'POST', headers: documented(apiKey), body })
  expect(made.status).toBe(201)
  first.child.kill('SIGTERM')
  const { stdout, stderr } = await first.ended
  expect((stdout + stderr).split(apiSecret)).toHaveLength(2)
  expect((stdout + stderr).split(apiKey)).toHaveLength(2)

  const second = start(args, { cwd: folder })
  const [, again = ''] = await second.printed(/"url":"([^"]+)","accounts":1/)
  const list = await fetch(`${again}/v1/trading-accounts`, { headers: documented(apiKey) })
  expect(await list.json()).toMatchObject({ data: [{ name: 'Ada', balance: 1000.5 }] })
  second.child.kill('SIGTERM')
  expect((await second.ended).stdout).not.toContain('"platform":')
})

test('the platform reads a key pair from the environment, and can require signatures or have defects', async () => {
  const env = { TCK_PLATFORM_KEY: 'bk_test_mine', TCK_PLATFORM_SECRET: 's'.repeat(65) }
  const args = ['simulate', '--port', '0', '--platform-port', '0', '--signing', 'required']
  const { printed, child, ended } = start([...args, '--defect', 'platform.account.without-wrapper'], { env })
  const [, url] = await printed(/"url":"([^"]+)","accounts"/)
  await printed(/"defect":"platform.account.without-wrapper"/)
  const headers = documented(env.TCK_PLATFORM_KEY)
  expect((await fetch(`${url}/v1/account`, { headers })).status).toBe(401)
  const timestamp = `${Math.floor(Date.now() / 1000)}`
  const signature = createHmac('sha256', env.TCK_PLATFORM_SECRET).update(`${timestamp}GET/v1/account`).digest('hex')
  const signed = { 'X-Platform-Timestamp': timestamp, 'X-Platform-Signature': signature }
  const response = await fetch(`${url}/v1/account`, { headers: { ...headers, ...signed } })
  expect(await response.json()).toMatchObject({ id: 'acct_1048576' })
  child.kill('SIGTERM')
  const { stdout } = await ended
  expect([stdout.includes(env.TCK_PLATFORM_KEY), stdout.includes(env.TCK_PLATFORM_SECRET)]).toEqual([false, false])
})

test.for([
  [['--signing', 'off'], {}, '`--signing` requires `--platform-port`.'],
  [['--defect', 'platform.version.any'], {}, '`--defect platform.version.any` requires `--platform-port`'],
  [['--platform-port', '0'], { TCK_PLATFORM_KEY: 'k' }, '`TCK_PLATFORM_SECRET` is missing.'],
  [['--platform-port', '0'], { TCK_PLATFORM_KEY: 'k', TCK_PLATFORM_SECRET: 'short' }, 'must be longer than 64 bytes'],
] as const)('%j with %j: exit 2', async ([args, env, message]) => {
  const { code, stderr } = await command(['simulate', '--port', '0', ...args], { env })
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('Internal error of the kit')
  expect(code).toBe(2)
})

test('an unknown defect: exit 2, with the nearest name', async () => {
  const { code, stderr } = await command(['simulate', '--api-key', 'k', '--defect', 'delete.moves-last-into-hol'])
  expect(stderr).toContain('Did you mean `delete.moves-last-into-gap`?')
  expect(code).toBe(2)
})

test('without a key it does not listen, and the process runs until it is stopped', async () => {
  const { child, ended, printed } = start(['simulate', '--port', '0'])
  await printed(/the API is disabled/)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
})

test('with --control-port it can be controlled, and prints the token once', async () => {
  const { url, child, printed, ended } = await serve(['--api-key', key, '--control-port', '0'])
  const [, control = '', token = ''] = await printed(/"control":"([^"]+)".*"token":"([^"]+)"/)
  const fault = { when: { path: '/api/status' }, effect: { kind: 'answer', status: 503 } }
  const headers = { Authorization: `Bearer ${token}`, Connection: 'close' }
  const added = await fetch(`${control}/faults`, { method: 'POST', headers, body: JSON.stringify(fault) })
  expect(added.status).toBe(200)
  expect([(await ask(url, '/api/status')).status, (await ask(url, '/api/rules')).status]).toEqual([503, 200])
  child.kill('SIGTERM')
  const { code, stdout } = await ended
  expect(code).toBe(0)
  expect(stdout.split('\n').filter((line) => line.includes(token))).toHaveLength(1)
})

test('a token from the environment is used, and not printed', async () => {
  const token = 'a-token-that-nobody-may-see'
  const running = start(['simulate', '--port', '0', '--api-key', key, '--control-port', '0'], {
    env: { TCK_CONTROL_TOKEN: token },
  })
  const [, control = ''] = await running.printed(/"control":"([^"]+)"/)
  const state = await fetch(`${control}/state`, { headers: { Authorization: `Bearer ${token}`, Connection: 'close' } })
  expect(state.status).toBe(200)
  running.child.kill('SIGTERM')
  const { stdout, stderr } = await running.ended
  expect(stdout + stderr).not.toContain(token)
})

test.for(['SIGINT', 'SIGTERM'] as const)('%s writes the client report, for people and for programs', async (signal) => {
  const folder = emptyFolder()
  const name = signal === 'SIGINT' ? 'out/client.json' : 'out/client.html'
  const copies = ['--param', 'Copy_1=1>2,mult,1,same', '--param', 'Copy_2=3>4,mult,1,same']
  const { url, child, ended } = await serve(['--api-key', key, ...copies, '--client-report', name], folder)
  await ask(url, '/api/rules')
  for (const index of [0, 0]) await ask(url, `/api/rules/${index}`, { method: 'DELETE' })
  child.kill(signal)
  expect(await ended).toMatchObject({ code: 0 })
  const text = readFileSync(join(folder, name), 'utf8')
  expect(text).not.toContain(key)
  if (signal === 'SIGTERM') {
    expect(text).toContain('2 mistakes')
    expect(text).toContain('removed rule 3>4')
    expect(text).toContain('lowers the index of every later rule by one')
    return
  }
  const { schema, requests, mistakes, coverage } = JSON.parse(text)
  expect([schema, requests]).toEqual(['copytrade-tck/client-report@1', 3])
  expect(mistakes.map(({ kind }: { kind: string }) => kind)).toEqual(['wrong-rule-removed', 'stale-index'])
  expect(coverage.find(({ id }: { id: string }) => id === 'capacity')).toMatchObject({ times: 0 })
})

test('a client report also includes requests before a reset', async () => {
  const folder = emptyFolder()
  const args = ['--api-key', key, '--param', 'Copy_1=1>2,mult,1,same', '--control-port', '0']
  const { url, child, ended, printed } = await serve([...args, '--client-report', 'client.json'], folder)
  const [, control = '', token = ''] = await printed(/"control":"([^"]+)".*"token":"([^"]+)"/)
  const reset = () => fetch(`${control}/reset`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } })
  await ask(url, '/api/rules/0', { method: 'DELETE' })
  await reset()
  for (const path of ['/api/rules', '/api/none']) await ask(url, path)
  await reset()
  await ask(url, '/api/rules/0', { method: 'DELETE' })
  child.kill('SIGTERM')
  await ended
  const { parts, requests, mistakes, coverage } = JSON.parse(readFileSync(join(folder, 'client.json'), 'utf8'))
  expect([parts, requests]).toEqual([3, 4])
  expect(mistakes).toMatchObject([
    { kind: 'stale-index', part: 1, entry: 1 },
    { kind: 'stale-index', part: 3, entry: 1 },
  ])
  const met = (id: string) => coverage.find((one: { id: string }) => one.id === id)
  expect(met('removed')).toMatchObject({ times: 2, first: { part: 1, entry: 1 } })
  expect(met('unknown-path')).toMatchObject({ times: 1, first: { part: 2, entry: 2 } })
  expect(met('capacity')).toMatchObject({ times: 0, first: null })
})

test.for([
  { args: ['--client-report', 'report.pdf'], says: 'Use a name that ends in `.html`, `.md` or `.json`' },
  { args: ['--client-report', `${'x'.repeat(300)}.html`], says: '`--client-report` cannot be written' },
  { args: ['--defect', ''], says: 'Give a value that is not empty' },
  { args: ['--data-dir', process.execPath], says: '`--data-dir` cannot be used' },
  {
    args: ['--control-port', '0'],
    env: { TCK_CONTROL_TOKEN: 'short' },
    says: 'The control token (the option `token`, or TCK_CONTROL_TOKEN) must be 16 or more',
  },
  {
    args: ['--platform-port', '0'],
    env: { TCK_PLATFORM_KEY: 'k', TCK_PLATFORM_SECRET: 'short' },
    says: 'The API secret (the option `apiSecret`, or TCK_PLATFORM_SECRET) must be longer than 64 bytes',
  },
])('exit 2 for $args: $says', async ({ args, env = {}, says }) => {
  const { code, stderr } = await command(['simulate', '--port', '0', '--api-key', 'k', ...args], { env })
  expect(stderr).toContain(says)
  expect(code).toBe(2)
})

test('an empty folder or token in the environment counts as not set', async () => {
  const args = ['simulate', '--port', '0', '--api-key', key, '--control-port', '0']
  const { printed } = await start(args, { env: { TCK_DATA_DIR: '', TCK_CONTROL_TOKEN: '' } })
  await printed(/"token":"[^"]+".*"msg":"serving"/s)
})

test('a second signal ends the process at once, also another one', async () => {
  const { url, child, printed, ended } = await serve(['--api-key', key])
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  // A stop waits for this request.
  socket.write(
    `POST /api/rules HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  )
  await once(socket, 'data')
  child.kill('SIGTERM')
  await printed(/"msg":"stopping"/)
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: null })
})

test('the health check finds the port in a file of parameters', async () => {
  const folder = emptyFolder()
  const port = String(await freePort())
  writeFileSync(join(folder, 'p.json'), JSON.stringify({ API_Key: key, API_Port: port }))
  const { printed } = start(['simulate'], { cwd: folder, env: { TCK_PARAMETERS: 'p.json' } })
  await printed(/"msg":"serving"/)
  const health = fileURLToPath(new URL('../dist/cli/simulate/health.js', import.meta.url))
  const child = spawn(process.execPath, [health], { cwd: folder, env: { TCK_PARAMETERS: 'p.json' } })
  expect(await once(child, 'exit')).toEqual([0, null])
})

test.for([
  { args: ['--param', 'no-name'], says: 'unknown' },
  { args: ['--params', 'missing.json'], says: '`--params` cannot be read' },
  { args: ['--port', '70000'], says: 'from 0 to 65535' },
])('exit 2 for $args', async ({ args }) => {
  const { code, stdout } = await command(['simulate', ...args])
  expect(stdout).toBe('')
  expect(code).toBe(2)
})

test('a port that is in use: a usage error, exit 2', async () => {
  const { url } = await serve(['--api-key', key])
  const { code, stderr } = await command(['simulate', '--api-key', 'k', '--port', new URL(url).port])
  expect(code).toBe(2)
  expect(stderr).not.toContain('Internal error')
})

test('a platform whose port is in use ends the whole command, including the control server: exit 2', async () => {
  const { url } = await serve(['--api-key', key])
  const ports = ['--port', '0', '--control-port', '0', '--platform-port', new URL(url).port]
  const { code, stderr } = await command(['simulate', '--api-key', 'k', ...ports])
  expect(stderr).toContain('Cannot listen')
  expect(code).toBe(2)
})

test(
  `SIGKILL ${kills} times while rules are added: no acknowledged rule is lost`,
  async () => {
    const folder = emptyFolder()
    const acknowledged: number[] = []
    let next = 1
    for (let round = 0; round < kills; round += 1) {
      const { url, child, ended } = await serve(['--api-key', key, '--data-dir', 'd', '--capacity', '100000'], folder)
      const { body } = await ask(url, '/api/rules')
      const listed = new Set((body as { rules: { follower: number }[] }).rules.map(({ follower }) => follower))
      expect(acknowledged.filter((follower) => !listed.has(follower))).toEqual([])
      // Another number of responses in each round, so that the kill falls into a different moment of saving.
      const writers = Array.from({ length: 3 }, async () => {
        for (;;) {
          const follower = next
          next += 1
          const { status } = await ask(url, '/api/rules', { method: 'POST', body: rule(follower) })
          if (status === 201) acknowledged.push(follower)
          if (acknowledged.length % 7 === round % 7) child.kill('SIGKILL')
        }
      })
      await Promise.allSettled(writers)
      await ended
    }
    expect(acknowledged.length).toBeGreaterThan(kills)
  },
  120_000 + kills * 2_000,
)
