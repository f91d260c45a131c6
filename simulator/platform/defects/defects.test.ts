import { Agent } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { platformRequirements } from '../../../spec/platform/requirements.ts'
import type { Sent } from '../../testing/client.ts'
import { sendRaw, statusOf } from '../../testing/client.ts'
import { createPlatformSimulator, type PlatformOverride, type PlatformSimulator } from '../index.ts'
import { ask, bearer, documented, pair, post, signed, terms, withType } from '../testing/client.ts'
import { platformDefects } from './index.ts'

const nowSeconds = 1_800_000_000
const account = '/v1/account'
const accounts = '/v1/trading-accounts'

/** A request or several to a simulator, and what they show. */
type Probe = (simulator: PlatformSimulator) => Promise<unknown>

const sent =
  (sent: Sent = {}): Probe =>
  async (simulator) => {
    const { status, headers, text } = await ask(simulator, sent)
    return [status, headers['content-type'], headers.allow, headers['x-request-url'], text]
  }

const get = (path: string) => sent({ path })
const list = get(accounts)
const added = (body: object | string, headers: Readonly<Record<string, string>> = documented): Probe =>
  sent({ method: 'POST', path: accounts, body: typeof body === 'string' ? body : JSON.stringify(body), headers })
const account1 = { ...terms, name: 'Ärzte "&" Ωmega \\ Söhne', leverage: 500, currency: 'EUR', balance: 123_456_789.01 }
const authorized = (value: string, path = account) => sent({ path, headers: { ...withType, Authorization: value } })
const raw =
  (...packets: readonly (string | Uint8Array)[]): Probe =>
  async (simulator) =>
    statusOf(await sendRaw(simulator, ...packets))

/** A signed request that is changed after signing. */
function changedAfterSigning(made: Parameters<typeof signed>[0], changes: object = {}, more: Sent = {}): Probe {
  const signature = { ...signed({ timestamp: nowSeconds, ...made }), ...changes }
  return sent({ headers: { ...documented, ...signature }, ...more })
}

const { 'X-Platform-Signature': right } = signed({ timestamp: nowSeconds })
const { apiKey } = pair

/** On one connection: a wrong key, then the correct one. */
const onOneConnection: Probe = async (simulator) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const first = await ask(simulator, { agent, headers: withType })
  const second = await ask(simulator, { agent })
  agent.destroy()
  return [first.status, second.status]
}

/** Concurrent requests, each on its own connection that stays open. */
const together =
  (sent: (place: number) => Sent): Probe =>
  async (simulator) => {
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true }))
    const replies = await Promise.all(agents.map((agent, place) => ask(simulator, { agent, ...sent(place) })))
    for (const agent of agents) agent.destroy()
    // Each created account has a different id.
    return replies.map(({ status, text }) => [status, status === 201 ? 'created' : text])
  }

const head = (line: string, ...fields: readonly string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${apiKey}`, 'Connection: close', ...fields].join('\r\n')}\r\n\r\n`

/** A body that is cut off when the connection ends. */
const cutOffBody: Probe = ({ port }) =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve('closed'))
    socket.resume()
    socket.end(`${head(`POST ${accounts}`, 'Content-Type: application/json', 'Content-Length: 500')}{"name":`)
  })

const probes: readonly Probe[] = [
  get(account),
  get(account),
  list,
  added(terms),
  get(account),
  list,
  added(account1),
  added({ ...account1, name: 'Second' }),
  list,
  sent({ path: accounts, headers: withType }),
  ...['', '/nowhere', '/v1/nowhere', '/v2/account', '/v99/account'].map(get),
  added(JSON.stringify(terms, ['balance', 'leverage', 'group', 'currency', 'name'])),
  added(JSON.stringify(terms, null, 2)),
  added(JSON.stringify(terms).replace('Ada', '\\u0041da')),
  added(terms, { ...bearer, 'Content-Type': 'application/json; charset=utf-8' }),
  ...['{', '', '[]', 'null', JSON.stringify([terms]), JSON.stringify(terms).slice(0, -1)].map((body) => added(body)),
  added(JSON.stringify(terms).replace('}', ',}')),
  list,
  added(JSON.stringify(terms).replace('"name"', '"__proto__":{"name":"x"},"colour"')),
  added(JSON.stringify(terms).replace('1000', '1e400')),
  added(terms),
  list,
  sent({ headers: withType }),
  sent({ method: 'POST', path: accounts, body: JSON.stringify(terms), headers: withType }),
  ...[apiKey.toUpperCase(), `${apiKey}x`, apiKey.slice(0, -1), `${apiKey.slice(0, -1)}x`, 'wrong', ''].map((key) =>
    authorized(`Bearer ${key}`),
  ),
  ...[apiKey, `Basic ${apiKey}`, `bearer ${apiKey}`, `BEARER ${apiKey}`, 'Bearer'].map((value) => authorized(value)),
  authorized('Bearer wrong', accounts),
  authorized(`Bearer ${pair.apiSecret}`),
  sent({ path: `${account}?api_key=${apiKey}`, headers: withType }),
  sent({ path: `/v1/no-such-path?secret=${pair.apiSecret}`, headers: withType }),
  sent({ headers: { ...withType, Cookie: `key=${apiKey}` } }),
  get(account),
  raw(head(`GET ${account}`, 'Content-Type: application/json').replace('Authorization', 'authorization')),
  sent({ method: 'PUT' }),
  list,
  changedAfterSigning({}),
  changedAfterSigning({}, { 'X-Platform-Signature': `${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}` }),
  changedAfterSigning({}, { 'X-Platform-Signature': `${right.startsWith('0') ? '1' : '0'}${right.slice(1)}` }),
  changedAfterSigning({}, { 'X-Platform-Signature': right.slice(0, 32) }),
  changedAfterSigning({}, { 'X-Platform-Signature': '' }),
  changedAfterSigning({}, { 'X-Platform-Signature': `${right.slice(0, 32)}${'0'.repeat(32)}` }),
  changedAfterSigning({}, { 'X-Platform-Timestamp': `${nowSeconds - 60}` }),
  changedAfterSigning({ path: accounts }),
  changedAfterSigning({ method: 'POST' }),
  changedAfterSigning({ timestamp: nowSeconds - 86_400 }),
  changedAfterSigning(
    { method: 'POST', path: accounts },
    {},
    { method: 'POST', path: accounts, body: JSON.stringify(terms) },
  ),
  onOneConnection,
  together((place) => ({ path: place % 2 === 0 ? account : '/v1/nowhere' })),
  together((place) => ({ method: 'POST', path: accounts, body: JSON.stringify({ ...terms, name: `n${place}` }) })),
  list,
  (simulator) =>
    sendRaw(
      simulator,
      head(`POST ${accounts}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
      `${JSON.stringify(terms).length.toString(16)}\r\n${JSON.stringify(terms)}\r\n0\r\n\r\n`,
    ).then(statusOf),
  added('['.repeat(10_000)),
  get(account),
  added(Buffer.from([0x7b, 0xff]).toString('latin1')),
  async (simulator) => (await post(simulator, Buffer.from([0xff]))).status,
  added(terms),
  raw(head(`GET ${account}`, `X-Long: ${'x'.repeat(65_536)}`)),
  get(account),
  get(`${account}${'a'.repeat(8000)}`),
  get(account),
  raw('\x00\x01 no HTTP\r\n\r\n'),
  get(account),
  cutOffBody,
  list,
  async (simulator) => (await post(simulator, ' '.repeat(4_000_000))).status,
  get(account),
  list,
]

async function started(override?: PlatformOverride): Promise<PlatformSimulator> {
  const now = () => nowSeconds * 1000
  const simulator = createPlatformSimulator({ keyPair: pair, now, ...(override && { override }) })
  await simulator.start()
  return simulator
}

async function seen(probe: Probe, simulator: PlatformSimulator): Promise<string> {
  return JSON.stringify(await probe(simulator).catch(() => 'no answer'))
}

/** The responses of a simulator without a defect, collected once. */
const correctReplies = (async () => {
  await using simulator = await started()
  const replies: string[] = []
  for (const probe of probes) replies.push(await seen(probe, simulator))
  return replies
})()

test.each(platformDefects)('$id can be observed from outside', async ({ override }) => {
  const expected = await correctReplies
  await using simulator = await started(override)
  let differs = false
  for (const [place, probe] of probes.entries()) {
    differs ||= (await seen(probe, simulator)) !== expected[place]
    if (differs) break
  }
  expect(differs).toBe(true)
})

test('every requirement is broken by a defect', () => {
  const broken = new Set<string>(platformDefects.flatMap(({ breaks }) => breaks))
  expect(platformRequirements.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([])
})

test('the ids of the defects are unique and start with the API', () => {
  const ids = platformDefects.map(({ id }) => id)
  expect(ids.filter((id, place) => ids.indexOf(id) !== place || !id.startsWith('platform.'))).toEqual([])
})
