import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Report } from '../reports/report.ts'
import { ErrorResponse } from '../simulator/server/response.ts'
import { command, emptyFolder, start } from './command.ts'
import { liveEnv as env, livePair, startLivePlatform } from './live-platform.ts'

function readReport(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
}

const filesOf = (folder: string) =>
  readdirSync(join(folder, 'tck-report')).map((name) => readFileSync(join(folder, 'tck-report', name), 'utf8'))

test('--platform-url judges only the platform, and by default only reads', async () => {
  const { url, asked, simulator } = await startLivePlatform()
  const folder = emptyFolder()
  const { code, stdout } = await command(['run', '--platform-url', `${url}/v1/`], { env, cwd: folder })
  expect(stdout).toContain(`Judging the platform at ${url} (risk read)`)
  expect(stdout).toContain('no demo account created')
  expect(code).toBe(0)
  const report = readReport(folder)
  expect(report.verdict).toBe('partial')
  expect(report.requirements.filter(({ id }) => !id.startsWith('platform.'))).toEqual([])
  expect(report.platform).toMatchObject({ kind: 'url', url, risk: 'read', alone: true })
  expect(report.harm).toBeNull()
  expect(asked.length).toBeGreaterThan(50)
  expect(asked.filter((line) => !/^(GET|HEAD|OPTIONS) /.test(line))).toEqual([])
  expect(simulator.accounts).toEqual([])
})

test('a foreign platform never gets the API Secret itself, which its logs would keep', async () => {
  const heads: string[] = []
  const { url } = await startLivePlatform({}, ({ url: path, headers }) => {
    heads.push(`${path} ${JSON.stringify(headers)}`)
    return false
  })
  const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'demo', '--max-accounts', '60']
  await command(args, { env, cwd: emptyFolder() })
  expect(heads.length).toBeGreaterThan(50)
  expect(heads.filter((head) => head.includes(livePair.apiSecret))).toEqual([])
})

test('--risk write without --group creates nothing and says why', async () => {
  const { url, asked, simulator } = await startLivePlatform()
  const folder = emptyFolder()
  const { code } = await command(['run', '--platform-url', url, '--risk', 'write'], { env, cwd: folder })
  expect(code).toBe(0)
  expect(asked.filter((line) => line.startsWith('POST'))).toEqual([])
  expect(simulator.accounts).toEqual([])
  const created = readReport(folder).requirements.find(({ id }) => id === 'platform.create.accepted')
  expect(created).toMatchObject({ status: 'out-of-scope' })
  expect(created?.checks[0]?.message).toContain('--group')
})

test('--risk write with --group creates no more accounts than announced, in that group, and names them', async () => {
  const { url, asked, simulator } = await startLivePlatform()
  const folder = emptyFolder()
  const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'demo']
  const { code, stdout } = await command(args, { env, cwd: folder })
  expect(stdout).toMatch(
    /The run creates at most 3 demo accounts in the group demo .*named like "copytrade-tck \d{6} [0-9a-f]{4} 001"/,
  )
  expect(code).toBe(0)
  // Those without a key and with a wrong key are rejected here, but count.
  expect(asked.filter((line) => line.startsWith('POST'))).toHaveLength(3)
  expect(simulator.accounts).toHaveLength(1)
  const [account] = simulator.accounts
  expect(account).toMatchObject({
    group: 'demo',
    name: expect.stringMatching(/^copytrade-tck \d{6} [0-9a-f]{4} 001$/),
  })
  const said = `1 demo account created: "${account?.name}" in the group demo; they cannot be removed`
  expect(stdout).toContain(said)
  expect(readReport(folder).platform?.accounts).toEqual({
    group: 'demo',
    most: 3,
    created: [account?.name],
    uncertain: [],
  })
  for (const name of ['report.html', 'summary.md']) {
    expect(readFileSync(join(folder, 'tck-report', name), 'utf8'), name).toContain('1 demo account created')
  }
})

test('with a higher account limit more is judged, and the limit holds', async () => {
  const { url, asked, simulator } = await startLivePlatform()
  const folder = emptyFolder()
  const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'demo', '--max-accounts', '20']
  const { code, stdout } = await command(args, { env, cwd: folder })
  expect(code, stdout).toBe(0)
  const posts = asked.filter((line) => line.startsWith('POST'))
  expect(posts.length).toBeGreaterThan(15)
  expect(posts.length).toBeLessThanOrEqual(20)
  expect(asked.filter((line) => /^(PUT|PATCH|DELETE)/.test(line))).toEqual([])
  expect(simulator.accounts.filter(({ group, name }) => group !== 'demo' || !name.startsWith('copytrade-tck'))).toEqual(
    [],
  )
  expect(readReport(folder).platform?.accounts?.created).toHaveLength(simulator.accounts.length)
})

test('a disposable platform is judged by every check, those too that might create anything', async () => {
  const { url, asked, simulator } = await startLivePlatform()
  const folder = emptyFolder()
  const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'demo', '--disposable-platform']
  const { code, stdout } = await command(args, { env, cwd: folder })
  expect(stdout).toContain(`The run creates any number of accounts on the platform at ${url}, and may change anything`)
  expect(stdout).toContain('accounts were created and not counted')
  expect(code).toBe(0)
  const { verdict, requirements } = readReport(folder)
  expect(verdict).toBe('conformant')
  const notRun = requirements.flatMap(({ checks }) => checks.filter(({ status }) => status !== 'passed'))
  expect(notRun).toEqual([])
  expect(asked).toContain('POST /v1/account')
  expect(simulator.accounts.length).toBeGreaterThan(20)
})

test('a disposable platform is only read by checks that need not create anything, if no other is chosen', async () => {
  const { url, asked } = await startLivePlatform()
  const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'demo', '--disposable-platform']
  const { code, stdout } = await command([...args, '--only', 'CP-228'], { env, cwd: emptyFolder() })
  expect(code, stdout).toBe(0)
  expect(asked.filter((line) => !/^(GET|HEAD|OPTIONS) /.test(line))).toEqual([])
})

test('a disposable platform is only read unless a risk allows more', async () => {
  const { url, asked } = await startLivePlatform()
  const args = ['run', '--platform-url', url, '--group', 'demo', '--disposable-platform']
  expect((await command(args, { env, cwd: emptyFolder() })).code).toBe(0)
  expect(asked.filter((line) => !/^(GET|HEAD|OPTIONS) /.test(line))).toEqual([])
})

const creation = (url: string) => {
  const options = ['--risk', 'write', '--group', 'demo', '--only', 'platform.create.accepted']
  return ['run', '--platform-url', url, ...options]
}

test('a platform that does not take the currency of the kit is not judged by it, until one is stated', async () => {
  const { url } = await startLivePlatform({
    override: ({ readCurrency }) => ({
      readCurrency: (value) => {
        if (value !== 'EUR') throw new ErrorResponse(422, 'The accounts of this group are in EUR.')
        return readCurrency(value)
      },
    }),
  })
  const folder = emptyFolder()
  const args = creation(url)
  const unstated = await command(args, { env, cwd: folder })
  expect(unstated.code).toBe(3)
  expect(unstated.stdout).toContain('state what it accepts with `--currency` and `--leverage`')
  const stated = await command([...args, '--currency', 'EUR'], { env, cwd: folder })
  expect(stated.code).toBe(0)
  const wrong = await command([...args, '--currency', 'USD', '--leverage', '100'], { env, cwd: folder })
  expect(wrong.code).toBe(1)
})

test('a creation whose 404 names the group is not judged', async () => {
  const readGroup = () => {
    throw new ErrorResponse(404, 'There is no group demo.')
  }
  const { url } = await startLivePlatform({ override: () => ({ readGroup }) })
  const { code, stdout } = await command(creation(url), { env, cwd: emptyFolder() })
  expect(stdout).toContain('check `--group`')
  expect(code).toBe(3)
})

test('a creation that returns 400 but adds the account is judged by the list', async () => {
  const { url } = await startLivePlatform({
    override: () => ({
      finish: (response, { method }) => (method === 'POST' ? { ...response, status: 400 } : response),
    }),
  })
  const { code, stdout } = await command(creation(url), { env, cwd: emptyFolder() })
  expect(stdout).toContain('The trading account was created although its creation was rejected.')
  expect(code).toBe(1)
})

test('a creation without a response is reported as unknown', async () => {
  const { url } = await startLivePlatform({}, (request, response) => {
    if (request.method === 'POST') response.destroy()
    return request.method === 'POST'
  })
  const folder = emptyFolder()
  const { code, stdout } = await command(creation(url), { env, cwd: folder })
  expect(code).toBe(1)
  expect(stdout).toContain('1 may have been created: "copytrade-tck')
  expect(readReport(folder).platform?.accounts).toMatchObject({ created: [], uncertain: [expect.any(String)] })
})

test('a platform that rejects requests because of a rate limit is neither accused nor conformant', async () => {
  let asked = 0
  const { url } = await startLivePlatform({}, (_request, response) => {
    asked += 1
    if (asked <= 20) return false
    response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '30' })
    response.end('{"error":{"code":"too_many_requests","message":"slow down","doc_url":"https://example.com"}}')
    return true
  })
  const folder = emptyFolder()
  const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'demo', '--strict']
  const { code, stdout } = await command(args, { env, cwd: folder })
  expect(code).toBe(3)
  expect(stdout).toContain('--max-rps')
  const { requirements } = readReport(folder)
  expect(requirements.filter(({ status }) => status === 'failed')).toEqual([])
  const wrongKey = requirements.find(({ id }) => id === 'platform.auth.account-needs-key')
  expect(wrongKey?.status).toBe('blocked')
})

test('doctor distinguishes a rate limit from other problems', async () => {
  const { url } = await startLivePlatform({}, (_request, response) => {
    response.writeHead(429, { 'Retry-After': '30' }).end()
    return true
  })
  const { code, stdout } = await command(['doctor', '--platform-url', url], { env })
  expect(stdout).toMatch(/platform +responds with 429[\s\S]*Retry-After: 30[\s\S]*--max-rps/)
  expect(code).toBe(4)
})

const manyAccounts = [['--max-accounts', '60'], ['--disposable-platform']]

test.for(manyAccounts)(
  'with %s a platform that accepts only one account is not blamed for the others',
  async (limit) => {
    let created = 0
    const { url } = await startLivePlatform({}, (request, response) => {
      if (request.method !== 'POST' || request.headers.authorization !== `Bearer ${livePair.apiKey}`) return false
      created += 1
      if (created === 1) return false
      response.writeHead(403, { 'Content-Type': 'application/json' })
      response.end('{"error":{"code":"too_many_accounts","message":"one is enough","doc_url":"https://example.com"}}')
      return true
    })
    const folder = emptyFolder()
    const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'demo', '--strict']
    const { code } = await command([...args, ...limit], { env, cwd: folder })
    expect(code).toBe(0)
    const statuses = new Map(readReport(folder).requirements.map(({ id, status }) => [id, status]))
    for (const id of ['platform.create.every-time', 'platform.create.any-json-form'])
      expect(statuses.get(id), id).toBe('out-of-scope')
    expect(statuses.get('platform.list.keeps-others')).toBe('partly-judged')
  },
)

test.for(manyAccounts)(
  'with %s a list that is half a second late fails only the requirement about that',
  async (limit) => {
    const { url } = await startLivePlatform({
      override: ({ listedAccounts }) => ({
        listedAccounts: (accounts, query) =>
          listedAccounts(
            accounts.filter(({ createdAt }) => Date.parse(createdAt) < Date.now() - 500),
            query,
          ),
      }),
    })
    const folder = emptyFolder()
    const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'demo', ...limit]
    const { code } = await command(args, { env, cwd: folder })
    expect(code).toBe(0)
    const notPassed = readReport(folder).requirements.filter(({ status }) => !/^(passed|out-of|not-)/.test(status))
    expect(notPassed.map(({ id, status }) => `${id} ${status}`)).toEqual(['platform.list.shows-created failed'])
  },
)

test('a balance that a creation also sets on earlier accounts is noticed on a foreign platform', async () => {
  const { url } = await startLivePlatform({
    override: ({ addAccount }) => ({
      addAccount: (accounts, account) =>
        addAccount(
          accounts.map((earlier) => ({ ...earlier, balance: account.balance })),
          account,
        ),
    }),
  })
  const folder = emptyFolder()
  const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'demo', '--only', 'CP-229']
  await command(args, { env, cwd: folder })
  const kept = readReport(folder).requirements.find(({ id }) => id === 'platform.list.keeps-others')
  expect(kept?.status).toBe('failed')
})

test('--plan says what would be sent and created, and sends nothing', async () => {
  const { url, asked } = await startLivePlatform()
  const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'real', '--plan=full']
  const { code, stdout } = await command(args, { env })
  expect(code).toBe(0)
  expect(asked).toEqual([])
  expect(stdout).toMatch(
    /CP-201 .*\n(?: {2}.*\n)* {2}POST \/v1\/trading-accounts \{"name":"copytrade-tck .*"group":"real"/,
  )
  expect(stdout).toContain('at most 3 demo accounts in the group real')
  expect(stdout).not.toContain('stops before')
  expect(stdout).not.toContain('DELETE')
})

test('a wrong key, a missing signature and an unreachable server end with exit code 4', async () => {
  const { url, asked } = await startLivePlatform({ signing: 'required' })
  const wrong = await command(['run', '--platform-url', url], { env: { ...env, TCK_PLATFORM_KEY: 'bk_live_wrong' } })
  expect(wrong.code).toBe(4)
  expect(wrong.stderr).toMatch(/rejects the key \(status 401\): .*invalid_api_key/)
  expect(asked).toHaveLength(1)
  const unsigned = await command(['run', '--platform-url', url], { env: { TCK_PLATFORM_KEY: livePair.apiKey } })
  expect(unsigned.code).toBe(4)
  expect(unsigned.stderr).toContain('TCK_PLATFORM_SECRET')
  const signed = await command(['run', '--platform-url', url], { env })
  expect(signed.code).toBe(0)
  const unreachable = await command(['run', '--platform-url', 'http://127.0.0.1:9'], { env })
  expect(unreachable.code).toBe(4)
  expect(unreachable.stderr).toContain('cannot be reached')
})

test('a connection that breaks before the first check is not an error of the kit', async () => {
  let requests = 0
  const { url } = await startLivePlatform({}, (_, response) => {
    requests += 1
    if (requests !== 2) return false
    response.destroy()
    return true
  })
  const { code } = await command(['run', '--platform-url', url, '--only', 'CP-101'], { env, cwd: emptyFolder() })
  expect(code).toBe(0)
})

test('a platform that shows its account without a key is not conformant under --strict', async () => {
  const { url } = await startLivePlatform({}, (request) => {
    request.headers.authorization = `Bearer ${livePair.apiKey}`
    return false
  })
  const folder = emptyFolder()
  const { code, stdout } = await command(['run', '--platform-url', url, '--strict', '--verbose'], { env, cwd: folder })
  expect(code).toBe(1)
  expect(stdout).toContain('FAILED platform.auth.account-needs-key')
  // The requests are signed, and a signature does not stay valid.
  expect(stdout).toMatch(/reproduce +the same command with --only CP-301/)
  expect(stdout).not.toContain('curl')
})

test('if a platform repeats key and secret in every way, no file and no output of the kit contains them', async () => {
  const secrets = [livePair.apiKey, livePair.apiSecret]
  const ways = (text: string) => [
    text,
    encodeURIComponent(text),
    Buffer.from(text).toString('base64'),
    Buffer.from(`a${text}`).toString('base64url'),
    Buffer.from(text).toString('hex'),
    text.toUpperCase(),
  ]
  const { url } = await startLivePlatform({}, (_request, response) => {
    const said = secrets.flatMap(ways)
    response.writeHead(200, { 'Content-Type': 'application/json', 'X-Echo': encodeURIComponent(said.join(' ')) })
    response.end(JSON.stringify({ data: { id: said[0], name: said.join(' '), status: livePair.apiSecret } }))
    return true
  })
  const folder = emptyFolder()
  const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'demo', '--evidence', 'all']
  const { code, stdout, stderr } = await command(args, { env, cwd: folder })
  expect(code).toBe(1)
  const texts = [...filesOf(folder), stdout, stderr].map((text) => text.toLowerCase())
  for (const way of secrets.flatMap(ways).flatMap((text) => [text, text.slice(2, -2)])) {
    expect(
      texts.filter((text) => text.includes(way.toLowerCase())),
      way,
    ).toEqual([])
  }
})

test('plugin and platform of one simulate command are both judged, each with its risk', async () => {
  const keys = { ...env, TCK_API_KEY: 'plugin-key' }
  const served = start(['simulate', '--port', '0', '--platform-port', '0', '--signing', 'required'], { env: keys })
  const [, pluginUrl = ''] = await served.printed(/"url":"([^"]+)"[^}]*"msg":"serving"/)
  const [, platformUrl = ''] = await served.printed(/"url":"([^"]+)"[^}]*"msg":"serving the platform API"/)
  const folder = emptyFolder()
  const args = ['--target', pluginUrl, '--platform-url', platformUrl, '--risk', 'write', '--group', 'demo']
  const { code, stdout } = await command(['run', ...args, '--skip', 'plugin.*'], { env: keys, cwd: folder })
  expect(code).toBe(0)
  expect(stdout).toMatch(/0 of 0 rules changed; 1 demo account created: "copytrade-tck .* in the group demo/)
  const report = readReport(folder)
  expect(report.target.url).toBe(pluginUrl)
  expect(report.platform).toMatchObject({ alone: false, url: platformUrl, risk: 'write' })
  const rooms = new Set(report.requirements.map(({ id }) => id.split('.')[0]))
  expect([...rooms]).toEqual(['plugin', 'platform'])
})

test('a killed run leaves a ledger that names what it created', async () => {
  const { url, simulator } = await startLivePlatform({}, (request, response) => {
    // The request arrives, but its response never does.
    if (request.method === 'POST') response.write = () => true
    return false
  })
  const folder = emptyFolder()
  const args = ['run', '--platform-url', url, '--risk', 'write', '--group', 'demo', '--only', 'CP-201']
  const running = start([...args, '--timeout', '60000'], { env, cwd: folder })
  await running.printed(/The run creates/)
  await expect.poll(() => simulator.accounts.length, { timeout: 20_000 }).toBe(1)
  running.child.kill('SIGKILL')
  await running.ended
  const [ledger = ''] = readdirSync(join(folder, 'tck-report')).filter((name) => name.startsWith('accounts-'))
  const text = readFileSync(join(folder, 'tck-report', ledger), 'utf8')
  expect(text).toContain(`{"event":"create","name":"${simulator.accounts[0]?.name}"}`)
})

test('doctor examines a platform with reads only, and reports problems', async () => {
  const { url, asked } = await startLivePlatform()
  const ready = await command(['doctor', '--platform-url', url], { env })
  expect(ready.stdout).toContain('accounts are listed at /v1/trading-accounts')
  expect(ready.stdout).toMatch(/ok +platform signature +the signature is accepted, and a wrong one is rejected/)
  expect(ready.stdout).toContain('Ready. With `--risk write`')
  expect(ready.code).toBe(0)
  expect(asked.filter((line) => !line.startsWith('GET '))).toEqual([])
  const given = { ...env, TCK_PLATFORM_KEY: 'bk_live_wrong' }
  const refused = await command(['doctor', '--platform-url', url, '--json'], { env: given })
  expect(refused.code).toBe(4)
  const { platform, target } = JSON.parse(refused.stdout)
  expect(target).toBeNull()
  expect(platform).toMatchObject({ url, ready: false })
  expect(platform.examinations[1]).toMatchObject({ name: 'platform key', state: 'problem' })
  expect(refused.stdout + ready.stdout).not.toContain(livePair.apiSecret)
})
