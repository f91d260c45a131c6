import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type SimulatorOptions, serveControl } from '../../index.ts'
import type { LogEntry } from '../../server/log.ts'

const parameters = { API_Key: 'secret-key', Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1001>2002,fixed,0.01,reverse' }
const rule = { master: 5, follower: 6, mode: 'mult', value: 2, direction: 'same' }
const token = 'a-token-for-tests-only'

async function served(options: SimulatorOptions = { port: 0 }, log: (entry: LogEntry) => void = () => undefined) {
  const simulator = createSimulator({ parameters, ...options })
  await simulator.start()
  const control = await serveControl(simulator, { token, log })
  onTestFinished(async () => {
    await control.close()
    await simulator.stop()
  })
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(`${control.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, Connection: 'close', ...headers },
      ...(body === undefined ? {} : { body: text }),
    })
    const received = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      text: received,
      body: isJson ? JSON.parse(received) : null,
    }
  }
  const plugin = (method: string, path: string, body?: unknown) =>
    fetch(`${simulator.url}/api/${path}`, {
      method,
      headers: { 'X-API-Key': 'secret-key', 'Content-Type': 'application/json', Connection: 'close' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return { simulator, control, ask, plugin }
}

/** The text that the stream has sent so far, and a promise of its end. */
function events(url: string): { readonly text: () => string; readonly ended: Promise<void> } {
  let received = ''
  const ended = new Promise<void>((resolve) => {
    request(`${url}/events`, { headers: { Authorization: `Bearer ${token}` } }, (response) => {
      response.setEncoding('utf8').on('data', (chunk) => {
        received += chunk
      })
      response.on('error', () => undefined).on('close', resolve)
    })
      .on('error', () => resolve())
      .end()
  })
  return { text: () => received, ended }
}

test('without the token only the health check and the static page are served', async () => {
  const { ask, control } = await served()
  const wrongToken = { Authorization: 'Bearer a-token-for-tests-onlY' }
  for (const path of ['/state', '/metrics', '/journal', '/events', '/nowhere']) {
    const { status, headers, body } = await ask('GET', path, undefined, wrongToken)
    expect([status, headers.get('www-authenticate'), body.hint]).toEqual([
      401,
      'Bearer',
      expect.stringContaining('Authorization: Bearer'),
    ])
  }
  expect((await ask('GET', '/healthz', undefined, wrongToken)).body).toEqual({ status: 'ok', running: true })
  const page = await fetch(`${control.url}/`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await page.text()).not.toMatch(/secret-key|a-token-for-tests/)
  expect(page.headers.get('access-control-allow-origin')).toBeNull()
})

test('a random token is used by default, and a weak one is rejected', async () => {
  const simulator = createSimulator({ port: 0, parameters })
  await using one = await serveControl(simulator)
  await using other = await serveControl(simulator)
  expect(one.token).toMatch(/^[\w-]{32}$/)
  expect(other.token).not.toBe(one.token)
  expect(one.pageUrl).toBe(`${one.url}/#token=${one.token}`)
  await expect(serveControl(simulator, { token: 'short' })).rejects.toThrow(
    'The control token (the option `token`, or TCK_CONTROL_TOKEN) must be 16 or more printable',
  )
  await expect(serveControl(simulator, { port: one.port })).rejects.toThrow('Cannot listen')
})

test('rules can be read and replaced, with all digits of a login', async () => {
  const { ask, plugin } = await served()
  const big = '{"rules":[{"master":18446744073709551615,"follower":6,"mode":"mult","value":2,"direction":"same"}]}'
  expect((await ask('PUT', '/rules', big)).status).toBe(204)
  expect((await ask('GET', '/rules')).text).toContain('"index":0,"master":18446744073709551615')
  expect(await (await plugin('GET', 'rules')).text()).toContain('18446744073709551615')
})

test('rules can be sent back as they are listed', async () => {
  const { ask } = await served()
  const listed = await ask('GET', '/rules')
  expect((await ask('PUT', '/rules', listed.text)).status).toBe(204)
  expect((await ask('GET', '/rules')).text).toBe(listed.text)
})

test('a value is replaced as it is listed, also above 2^53', async () => {
  const { ask } = await served()
  const big = '{"rules":[{"master":5,"follower":6,"mode":"mult","value":10000000000000000,"direction":"same"}]}'
  expect((await ask('PUT', '/rules', big)).status).toBe(204)
  expect((await ask('GET', '/rules')).text).toContain('"value":10000000000000000,')
})

test('parameters are shown without the key, and can be sent back as shown', async () => {
  const { ask, plugin, simulator } = await served()
  const { body } = await ask('GET', '/parameters')
  expect(body.parameters).toEqual({ ...parameters, API_Key: '[redacted]' })
  const { Copy_2: _gone, ...rest } = body.parameters
  expect((await ask('PUT', '/parameters', { parameters: rest })).status).toBe(204)
  expect((await ask('POST', '/restart')).status).toBe(204)
  expect(await (await plugin('GET', 'rules')).json()).toMatchObject({ total: 1 })
  expect(simulator.control.parameters().API_Key).toBe('secret-key')
  expect((await ask('GET', '/state')).text).not.toContain('secret-key')
})

test('the control server keeps running while the plugin is crashed, and can restart it', async () => {
  const { ask, plugin } = await served()
  await plugin('POST', 'rules', rule)
  expect((await ask('POST', '/crash', { deleteRulesFile: true })).status).toBe(204)
  expect((await ask('GET', '/healthz')).body).toEqual({ status: 'ok', running: false })
  expect((await ask('GET', '/state')).body).toMatchObject({ running: false, url: null, rules: [] })
  expect((await ask('PUT', '/rules', { rules: [] })).status).toBe(409)
  await ask('POST', '/restart', { how: 'graceful' })
  expect(await (await plugin('GET', 'rules')).json()).toMatchObject({ total: 2 })
})

test.for(['/restart', '/parameters'])(
  '%s with an invalid port is rejected, and the plugin keeps running',
  async (path) => {
    const { ask } = await served({ parameters: { API_Key: 'secret-key', API_Port: '0' } })
    const given = { parameters: { API_Key: 'secret-key', API_Port: 'x' }, ...(path === '/restart' && { how: 'crash' }) }
    const { status, body } = await ask(path === '/restart' ? 'POST' : 'PUT', path, given)
    expect(status).toBe(400)
    expect(body.error).toBe('API_Port must be an integer from 0 to 65535.')
    expect((await ask('GET', '/state')).body).toMatchObject({ running: true, parameters: { API_Port: '0' } })
  },
)

test('capacity, license, snapshots, clock and reset', async () => {
  const { ask, plugin } = await served()
  await ask('PUT', '/snapshots/at%20first')
  await ask('PUT', '/capacity', { capacity: 2 })
  await ask('PUT', '/license', { active: false })
  expect((await plugin('POST', 'rules', rule)).status).toBe(500)
  await plugin('DELETE', 'rules/0')
  expect((await ask('POST', '/clock/freeze', { at: '2026-11-21T00:00:00Z' })).body.frozen).toBe(true)
  expect((await ask('POST', '/clock/advance', { ms: 90_000 })).body.now).toBe('2026-11-21T00:01:30.000Z')
  expect((await ask('POST', '/snapshots/at%20first/restore')).status).toBe(204)
  expect((await ask('GET', '/state')).body).toMatchObject({ rules: [{}, {}], capacity: 1000, snapshots: ['at first'] })
  expect((await ask('POST', '/snapshots/none/restore')).status).toBe(404)
  await ask('POST', '/reset')
  expect((await ask('GET', '/clock')).body.frozen).toBe(false)
  expect((await ask('GET', '/journal/count')).body).toEqual({ count: 0 })
})

test('faults can be added, listed, replaced and removed', async () => {
  const { ask, plugin } = await served()
  const fault = { id: 'later', when: { method: 'GET' }, effect: { kind: 'answer', status: 503 } }
  expect((await ask('POST', '/faults', fault)).body).toMatchObject({ id: 'later', played: 0 })
  expect((await plugin('GET', 'rules')).status).toBe(503)
  expect((await ask('GET', '/faults')).body.faults).toMatchObject([{ id: 'later', played: 1 }])
  expect((await ask('POST', '/faults', fault)).status).toBe(409)
  expect((await ask('DELETE', '/faults/later')).body).toEqual({ removed: true })
  expect((await plugin('GET', 'rules')).status).toBe(200)
  await ask('PUT', '/faults', { faults: [fault] })
  expect((await ask('DELETE', '/faults')).status).toBe(204)
  expect((await ask('GET', '/faults')).body.faults).toEqual([])
})

test('listed faults can be sent back, and count from 0 again', async () => {
  const { ask, plugin } = await served()
  await ask('POST', '/faults', { effect: { kind: 'answer', status: 503 } })
  await plugin('GET', 'rules')
  const listed = (await ask('GET', '/faults')).body
  expect(listed.faults).toMatchObject([{ id: 'fault-1', played: 1 }])
  expect((await ask('PUT', '/faults', listed)).body.faults).toMatchObject([{ id: 'fault-1', matched: 0, played: 0 }])
})

test('faults keep all digits of a login in listing, matching and responses', async () => {
  const { ask, plugin, control } = await served()
  const followed = events(control.url)
  await expect.poll(followed.text).toContain('event: state')
  const fault = (id: string, effect: string) =>
    `{"id":"${id}","when":{"body":{"master":9007199254740993}},"effect":${effect}}`
  const exact = '"master":9007199254740993'
  const added = await ask('POST', '/faults', fault('big', `{"kind":"answer","status":503,"body":{${exact}}}`))
  expect([added.status, added.text]).toEqual([200, expect.stringContaining(`"body":{${exact}}`)])
  for (const path of ['/faults', '/state']) {
    const shown = await ask('GET', path)
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining(`"when":{"body":{${exact}}}`)])
  }
  await expect.poll(followed.text).toContain(`"when":{"body":{${exact}}}`)
  const near = { ...rule, master: 9007199254740992 }
  expect((await plugin('POST', 'rules', near)).status).toBe(201)
  const text = JSON.stringify(near).replace('9007199254740992', '9007199254740993')
  const response = await plugin('POST', 'rules', text)
  expect([response.status, await response.text()]).toEqual([503, `{${exact}}`])
  await control.close()
  await followed.ended
})

test('a stream that fails to write ends without affecting others', async () => {
  const log: LogEntry[] = []
  const { simulator, control, ask } = await served({ port: 0 }, (entry) => log.push(entry))
  const followed = events(control.url)
  await expect.poll(followed.text).toContain('event: state')
  const unwritable = {
    toJSON: () => {
      throw new Error('no words')
    },
  }
  simulator.control.faults.add({ effect: { kind: 'answer', status: 200, body: unwritable } })
  await followed.ended
  await events(control.url).ended
  expect(log.filter(({ event }) => event === 'control-stream-failed')).toHaveLength(2)
  simulator.control.faults.clear()
  expect((await ask('GET', '/state')).status).toBe(200)
})

test('the journal can be filtered, counted and waited for', async () => {
  const { ask, plugin } = await served()
  const waiting = ask('GET', '/journal/wait?count=2&method=get&timeoutMs=5000')
  for (const path of ['rules', 'status', 'none']) await plugin('GET', path)
  expect((await waiting).body.entries).toMatchObject([{ target: '/api/rules' }, { target: '/api/status' }])
  expect((await ask('GET', '/journal?status=404&limit=1')).body).toMatchObject({ total: 1, entries: [{ id: 3 }] })
  expect((await ask('GET', '/journal/count?because=plugin.list.ok')).body).toEqual({ count: 1 })
  const timedOut = await ask('GET', '/journal/wait?count=9&timeoutMs=20')
  expect([timedOut.status, timedOut.body.error]).toEqual([504, expect.stringContaining('3 of 9')])
  expect((await ask('GET', '/client-report')).body).toMatchObject({ requests: 3, mistakes: [] })
  expect((await ask('DELETE', '/journal')).status).toBe(204)
})

test.for([
  ['PUT', '/rules', { rules: [{ ...rule, mode: 'multiplier' }] }, /^Rule 1 of 1: not a valid rule: multiplier/],
  ['PUT', '/rules', { rules: [{ ...rule, master: 1.5 }] }, /^Rule 1 of 1: not a valid login: 1\.5/],
  ['PUT', '/rules', { rules: [{ ...rule, master: -5 }] }, /^Rule 1 of 1/],
  ['PUT', '/rules', { rules: [null] }, /rules\.0: expected a rule/],
  ['GET', '/journal/wait', undefined, /^count: expected a whole number of at most nine digits/],
  ['GET', '/journal?limit=9876543210', undefined, /^limit: expected a whole number of at most nine digits/],
  ['POST', '/faults', { effect: { kind: 'explode' } }, /effect\.kind: /],
  ['POST', '/faults', { effect: { kind: 'delay', milliseconds: 5 } }, /effect\.ms: .*milliseconds/],
  [
    'POST',
    '/faults',
    { effect: { kind: 'reset' }, when: { pathPattern: '(' } },
    /when\.pathPattern: expected a regular expression/,
  ],
  ['PUT', '/capacity', { capacity: -1 }, /capacity: .*>=0/],
  ['PUT', '/license', {}, /active: .*boolean/],
  ['POST', '/restart', '{', /not valid JSON/],
  ['GET', '/journal?stauts=404', undefined, /stauts/],
  ['GET', '/journal?status=many', undefined, /status: expected a status such as 404/],
] as const)('%s %s with %j is rejected with the reason', async ([method, path, body, says]) => {
  const { ask } = await served()
  const { status, body: response } = await ask(method, path, body)
  expect(status).toBe(400)
  expect(response.error).toMatch(says)
  expect(response.hint).not.toBe('')
})

test('the response to an unknown path or a wrong method lists what the API offers', async () => {
  const { ask } = await served()
  const { hint } = (await ask('GET', '/nowhere')).body
  expect(hint).toContain('/snapshots/:name')
  const named = hint.match(/\/[^ ,.]+/g)
  expect(named).toEqual([...new Set(named)])
  const wrong = await ask('PATCH', '/rules')
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, PUT'])
})

test('the metrics count requests, faults and rules', async () => {
  const { ask, plugin, simulator } = await served()
  await plugin('GET', 'rules')
  simulator.control.faults.add({ effect: { kind: 'answer', status: 503 } })
  await plugin('GET', 'rules')
  const { text, headers } = await ask('GET', '/metrics')
  expect(headers.get('content-type')).toContain('text/plain')
  expect(text).toContain('copytrade_simulator_requests_total{method="GET",operation="list-rules",status="200"} 1')
  expect(text).toContain('copytrade_simulator_faults_played_total{effect="answer"} 1')
  expect(text).toContain('copytrade_simulator_rules 2')
})

test('the stream sends the state and each request, and ends with the server', async () => {
  const { control, plugin, simulator } = await served()
  const { text, ended } = events(control.url)
  await expect.poll(text).toContain('event: state')
  await plugin('DELETE', 'rules/0')
  simulator.control.setCapacity(7)
  await expect.poll(text).toMatch(/event: entry\ndata: .*"operation":"remove-rule"/)
  await expect.poll(text).toContain('"capacity":7')
  expect(text()).not.toContain('secret-key')
  const ids = [...text().matchAll(/event: state\ndata: (.*)/g)].map(([, data]) =>
    JSON.parse(data ?? '').rules.map(({ id, follower }: { id: number; follower: string }) => [id, follower]),
  )
  expect(ids.at(-1)).toEqual([ids[0]?.[1]])
  await control.close()
  await ended
})

test('HEAD of the stream ends with the head', async () => {
  const { ask } = await served()
  const { status, headers } = await ask('HEAD', '/events')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
})

test('a reset restarts the metrics', async () => {
  const { ask, plugin } = await served()
  await plugin('GET', 'rules')
  await ask('POST', '/reset')
  expect((await ask('GET', '/metrics')).text).not.toContain('operation="list-rules"')
})
