import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type Rule, type Simulator, type SimulatorOptions } from '../../simulator/index.ts'
import { clientFor } from '../client/client.test-data.ts'
import type { Client } from '../client/client.ts'
import { type Observer, observed } from '../client/observed.ts'
import type { RawClient } from '../client/raw.ts'
import { type HttpResponse, NoResponse } from '../client/response.ts'
import { createPlugin } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { cleanUp } from './clean-up.ts'
import { guardClient } from './guard.ts'
import { createLastRead } from './last-read.ts'
import { openLedger, readLedger } from './ledger.ts'
import { ConcurrentEdit, ServerFault } from './list-change-errors.ts'
import { createWatch, nothingKnown } from './protected-list.ts'
import { createBudget } from './write-guard.ts'

const key = 'a-key-for-tests'
const copy = { Copy_1: '1001>2001,mult,1,same', Copy_2: '1002>2002,mult,1,same', Copy_3: '1003>2003,mult,1,same' }
const own = { master: 900_000_001, follower: 900_000_002, mode: 'mult', value: 1, direction: 'same' }

const isForeign = (follower: number) => follower < 900_000_000

/** A server with foreign rules, three by default, behind the guard. */
async function guarded(
  override: SimulatorOptions['override'] = () => ({}),
  mostWrites = 100,
  through: (client: Client, simulator: Simulator) => Client | Promise<Client> = (client) => client,
  ofOthers: Readonly<Record<string, string>> = copy,
) {
  const parameters = { API_Key: key, ...ofOthers }
  const simulator = createSimulator({ port: 0, parameters, override })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const client = clientFor(simulator.url)
  const before = rulesIn(await createPlugin(client, key).list())
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'ledger.jsonl')
  const ledger = openLedger(file, (text) => text)
  ledger.append({
    event: 'open',
    schema: 'copytrade-tck/ledger@1',
    target: simulator.url,
    startedAt: new Date().toISOString(),
    logins: { from: 900_000_000, to: 900_000_999 },
    before,
  })
  const isOwn = (rule: { master: number | bigint }) => rule.master >= 900_000_000
  let nextOwn = 900_000_100
  const lastRead = createLastRead()
  const sent: string[] = []
  const note: Observer = ({ request }) => {
    sent.push('method' in request ? request.method : 'bytes')
    return () => undefined
  }
  const raw: RawClient = () => Promise.reject(new Error('no raw bytes are sent'))
  const clients = { client: await through(client, simulator), raw }
  const guard = guardClient({
    client: observed(simulator.url, clients, [note, lastRead.observe]).client,
    lastRead,
    key,
    ledger,
    watch: createWatch(before, isOwn),
    isOwn,
    quietMs: 20,
    knowledge: nothingKnown(),
    isLeased: false,
    draft: () => ({ ...own, follower: nextOwn++ }),
    note: () => [],
    countWrite: createBudget(mostWrites, 'writes'),
  })
  return {
    simulator,
    /** The methods of the requests that were sent. */
    sent,
    plugin: createPlugin(guard, key),
    otherClient: createPlugin(client, key),
    recorded: () => readLedger(file),
    followers: () => simulator.rules.map(({ follower }) => Number(follower)),
  }
}

test('a rule of the kit is removed, and the removal is confirmed in the ledger', async () => {
  const { plugin, followers, recorded } = await guarded()
  await plugin.add(own)
  expect((await plugin.remove(3)).status).toBe(200)
  expect(followers()).toEqual([2001, 2002, 2003])
  expect(recorded()).toMatchObject({ closed: false, unconfirmed: null, lost: [] })
})

/** A client through a proxy that closes the connection of the first DELETE. */
async function closingOnce(_: Client, simulator: Simulator): Promise<Client> {
  const handle = simulator.callback()
  let closed = false
  const front = createServer((request, response) => {
    if (closed || request.method !== 'DELETE') return void handle(request, response)
    closed = true
    request.socket.destroy()
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void front.close().closeAllConnections())
  return clientFor(`http://127.0.0.1:${(front.address() as AddressInfo).port}`)
}

test('a DELETE uses the connection of the read before it, and is sent again if the server had just closed it', async () => {
  const { plugin, followers, recorded } = await guarded(undefined, 100, closingOnce)
  await plugin.add(own)
  expect((await plugin.remove(3)).status).toBe(200)
  expect(followers()).toEqual([2001, 2002, 2003])
  expect(recorded()).toMatchObject({ unconfirmed: null, lost: [] })
})

/** A client of a server that carries out a DELETE on a kept connection, and closes that instead of answering. */
async function closingKept(_: Client, simulator: Simulator): Promise<Client> {
  const handle = simulator.callback()
  const used = new WeakSet<object>()
  const front = createServer((request, response) => {
    if (request.method === 'DELETE' && used.has(request.socket)) response.end = () => response.destroy()
    used.add(request.socket)
    handle(request, response)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void front.close().closeAllConnections())
  return clientFor(`http://127.0.0.1:${(front.address() as AddressInfo).port}`)
}

test('a DELETE that took effect before its kept connection was closed is not sent again, and later ones have their own', async () => {
  const { plugin, followers, recorded, sent } = await guarded(undefined, 100, closingKept)
  const second = { ...own, follower: own.follower + 1 }
  await plugin.add(own)
  await plugin.add(second)
  await expect(plugin.remove(3)).rejects.toThrow(NoResponse)
  expect(followers()).toEqual([2001, 2002, 2003, second.follower])
  expect((await plugin.remove(3)).status).toBe(200)
  expect(followers()).toEqual([2001, 2002, 2003])
  expect(sent.filter((method) => method === 'DELETE')).toHaveLength(2)
  expect(recorded()).toMatchObject({ unconfirmed: null, lost: [] })
})

test('a clean-up continues after a DELETE whose kept connection was closed', async () => {
  const { plugin, followers } = await guarded(undefined, 100, closingKept)
  for (const follower of [1, 2, 3]) await plugin.add({ ...own, follower: own.follower + follower })
  await cleanUp(plugin, ({ master }) => master === own.master)
  expect(followers()).toEqual([2001, 2002, 2003])
})

test('the index of a foreign rule is never sent', async () => {
  const { plugin, followers } = await guarded()
  await expect(plugin.remove(1)).rejects.toThrow(ConcurrentEdit)
  await expect(plugin.remove('01')).rejects.toThrow(ConcurrentEdit)
  expect(followers()).toEqual([2001, 2002, 2003])
})

test('a rule that another client adds is noticed at the next read, with the change', async () => {
  const { plugin, otherClient } = await guarded()
  await otherClient.add({ ...own, master: 5, follower: 6 })
  await expect(plugin.list()).rejects.toThrow(/5>6 mult 1 same/)
})

/** Removes the rule before the one at the index, as if the indices had just shifted. */
const removesTheOneBefore: SimulatorOptions['override'] = ({ removeRule }) => ({
  removeRule: (rules, position) => removeRule(rules, Math.max(position - 1, 0)),
})

test('a server that removes the previous rule has failed: the DELETE is repeated among rules of the kit, and the foreign rule is added again', async () => {
  const { plugin, followers, recorded } = await guarded(removesTheOneBefore)
  await plugin.add(own)
  const wrong = await plugin.remove(3).catch((error: unknown) => error)
  expect(wrong).toBeInstanceOf(ServerFault)
  expect((wrong as ServerFault).failure.code).toBe('list.other-removed')
  expect(followers().filter(isForeign)).toEqual([2001, 2002, 2003])
  expect(recorded()).toMatchObject({
    lost: [],
    restored: [{ follower: 2003 }],
    possiblyLost: [],
    removalUnsafeReason: expect.stringContaining('something else than the rule at the index'),
  })
  const after = followers()
  await expect(plugin.remove(3)).rejects.toBe(wrong)
  await expect(plugin.add(own)).rejects.toBe(wrong)
  expect(followers()).toEqual(after)
})

test('a server that always removes the first rule has failed, and the rules are added again', async () => {
  const { plugin, followers, recorded } = await guarded(({ removeRule }) => ({
    removeRule: (rules) => removeRule(rules, 0),
  }))
  for (const follower of [11, 12]) await plugin.add({ ...own, follower: 900_000_000 + follower })
  await expect(plugin.remove(3)).rejects.toThrow(ServerFault)
  expect(followers().filter(isForeign)).toEqual([2001, 2002, 2003])
  expect(recorded()?.restored).toMatchObject([{ follower: 2001 }, { follower: 2002 }, { follower: 2003 }])
})

test('a server that also removes a foreign rule each time has failed, and the rules are added again', async () => {
  const { plugin, followers, recorded } = await guarded(({ removeRule }) => ({
    removeRule: (rules, position) => removeRule(rules, position).slice(1),
  }))
  await plugin.add(own)
  await expect(plugin.remove(3)).rejects.toThrow(ServerFault)
  expect(followers().filter(isForeign)).toEqual([2001, 2002, 2003])
  expect(recorded()?.restored).toMatchObject([{ follower: 2001 }, { follower: 2002 }, { follower: 2003 }])
})

test('a server that removes a rule with a DELETE that it rejects has failed', async () => {
  const removesTheFirst =
    (client: Client): Client =>
    async (request) => {
      if (request.method === 'DELETE') await client({ ...request, path: '/api/rules/0' })
      return client(request)
    }
  const { plugin, followers } = await guarded(undefined, 100, removesTheFirst)
  await expect(plugin.remove(99)).rejects.toThrow(ServerFault)
  expect(followers()).toEqual([2001, 2002, 2003])
})

const removesAll = { method: 'DELETE', path: '/api/rules' } as const

/** Clears the list for a DELETE without an index. */
const clears =
  (client: Client, simulator: Simulator): Client =>
  async (request) => {
    if (request.path === '/api/rules' && request.method === 'DELETE') {
      for (const _ of [...simulator.rules]) await client({ ...request, path: '/api/rules/0' })
    }
    return client(request)
  }

test('a server that clears the list has failed: rules of the kit are lost in the same way, and the others are added again', async () => {
  const { plugin, followers, recorded } = await guarded(undefined, 100, clears)
  await plugin.add(own)
  await expect(plugin.send(removesAll)).rejects.toThrow(ServerFault)
  expect(followers()).toEqual([2001, 2002, 2003])
  expect(recorded()).toMatchObject({ lost: [], restored: [{ follower: 2001 }, { follower: 2002 }, { follower: 2003 }] })
})

test('rules are possibly lost if another client removed all while a DELETE without an index was rejected', async () => {
  const edit = async (other: ReturnType<typeof createPlugin>) => {
    for (const _ of Object.keys(copy)) await other.remove(0)
  }
  const { plugin, followers, recorded } = await guardedWithEdit('DELETE', 'after', edit)
  await expect(plugin.send(removesAll)).rejects.toThrow(ConcurrentEdit)
  expect(followers().filter(isForeign)).toEqual([])
  expect(recorded()).toMatchObject({ possiblyLost: [{ follower: 2001 }, { follower: 2002 }, { follower: 2003 }] })
  expect(recorded()).toMatchObject({ lost: [], restored: [] })
})

test('a list that is cleared is not cleared again once another client has added a rule', async () => {
  let others: ReturnType<typeof createPlugin> | null = null
  const through = (client: Client, simulator: Simulator): Client => {
    const clearing = clears(client, simulator)
    return async (request) => {
      const isRuleOfKit = request.method === 'POST' && simulator.rules.length === 0
      if (isRuleOfKit) await others?.add(foreign(2009))
      return clearing(request)
    }
  }
  const { plugin, otherClient, followers, recorded } = await guarded(undefined, 100, through)
  others = otherClient
  await expect(plugin.send(removesAll)).rejects.toThrow(ConcurrentEdit)
  expect(followers().filter(isForeign)).toEqual([2009])
  expect(recorded()).toMatchObject({ possiblyLost: [{}, {}, {}], lost: [], restored: [] })
})

test('a rule that another client removed while a DELETE was rejected is possibly lost', async () => {
  const { plugin, followers, recorded } = await guardedWithEdit('DELETE', 'after', (other) => other.remove(0))
  await expect(plugin.remove(99)).rejects.toThrow(ConcurrentEdit)
  expect(followers()).toEqual([2002, 2003])
  expect(recorded()).toMatchObject({ lost: [], possiblyLost: [{ follower: 2001 }], restored: [] })
})

test('in a list without foreign rules, a DELETE that is ignored twice hit no rule that another client had added', async () => {
  const { plugin, sent, recorded } = await guarded(
    ({ removeRule }) => ({
      removeRule: (rules, position) => (rules.length === 1 ? rules : removeRule(rules, position)),
    }),
    100,
    undefined,
    {},
  )
  await plugin.add(own)
  expect((await plugin.remove(0)).status).toBe(200)
  expect(sent.filter((method) => method !== 'GET')).toEqual(['POST', 'DELETE', 'DELETE'])
  expect(recorded()).toMatchObject({ possiblyLost: [], possiblyUnlisted: false, unconfirmed: null })
})

test('in a list without foreign rules, a DELETE that removes the rule the second time may have hit another one', async () => {
  let number = 0
  const { plugin } = await guarded(
    ({ removeRule }) => ({
      removeRule: (rules, position) => {
        number += 1
        return number === 1 ? rules : removeRule(rules, position)
      },
    }),
    100,
    undefined,
    {},
  )
  await plugin.add(own)
  await expect(plugin.remove(0)).rejects.toThrow(/the list is the same after a DELETE .* no list shows/)
})

/** After a DELETE the list from before it is shown once more. */
function showsLate(client: Client): Client {
  const late: HttpResponse[] = []
  return async (request) => {
    if (request.method !== 'DELETE') return late.shift() ?? client(request)
    late.push(await client({ ...request, method: 'GET', path: '/api/rules' }))
    return client(request)
  }
}

test('in a list without foreign rules, a DELETE is not sent again if its index belongs to another rule by then', async () => {
  const { plugin, sent, followers } = await guarded(undefined, 100, showsLate, {})
  for (const follower of [11, 12]) await plugin.add({ ...own, follower: 900_000_000 + follower })
  await expect(plugin.remove(0)).rejects.toThrow(ConcurrentEdit)
  expect(sent.filter((method) => method === 'DELETE')).toHaveLength(1)
  expect(followers()).toEqual([900_000_012])
})

/** Two foreign rules with the same content, each of which counts. */
const twice = { ...copy, Copy_4: copy.Copy_3 }

test('of two equal foreign rules the one that the server removed is added again', async () => {
  const { plugin, followers } = await guarded(removesTheOneBefore, undefined, undefined, twice)
  await plugin.add(own)
  await expect(plugin.remove(4)).rejects.toThrow(/#3 1003>2003/)
  expect(followers().filter(isForeign)).toEqual([2001, 2002, 2003, 2003])
})

test('foreign rules that cannot be added again are recorded as lost', async () => {
  const { plugin, recorded } = await guarded(({ removeRule, addRule }) => ({
    removeRule: (rules) => removeRule(rules, 0),
    addRule: (rules, rule) => {
      if (isForeign(Number(rule.follower))) throw new Error('no further rule')
      return addRule(rules, rule)
    },
  }))
  for (const follower of [11, 12]) await plugin.add({ ...own, follower: 900_000_000 + follower })
  await expect(plugin.remove(3)).rejects.toThrow(ServerFault)
  expect(recorded()?.lost).toMatchObject([{ follower: 2001 }, { follower: 2002 }, { follower: 2003 }])
})

test('a foreign rule that is missing after a DELETE without a response is possibly lost', async () => {
  const cutting =
    (client: Client): Client =>
    async (request) => {
      const response = await client(request)
      if (request.method === 'DELETE') throw new NoResponse('cut off', response.exchange)
      return response
    }
  const { plugin, recorded } = await guarded(removesTheOneBefore, 100, cutting)
  await plugin.add(own)
  await expect(plugin.remove(3)).rejects.toThrow(ConcurrentEdit)
  expect(recorded()).toMatchObject({ lost: [], possiblyLost: [{ master: 1003, follower: 2003 }] })
})

test('no more writes are sent than were announced', async () => {
  const { plugin } = await guarded(undefined, 1)
  await plugin.add(own)
  await expect(plugin.add({ ...own, follower: 900_000_003 })).rejects.toThrow(
    'the run would exceed the 1 writes that it announced',
  )
})

/** Calls `edit` once, before or after a request with this method. */
function meanwhile(method: string, moment: 'before' | 'after', edit: () => Promise<unknown>) {
  let done = false
  const once = async (now: typeof moment) => {
    if (done || now !== moment) return
    done = true
    await edit()
  }
  return (client: Client): Client =>
    async (request) => {
      if (request.method !== method) return client(request)
      await once('before')
      const response = await client(request)
      await once('after')
      return response
    }
}

/** A client of the server with one edit of another client around the first request with this method. */
async function guardedWithEdit(
  method: string,
  moment: 'before' | 'after',
  edit: (other: ReturnType<typeof createPlugin>) => Promise<unknown>,
  override?: SimulatorOptions['override'],
) {
  let other: ReturnType<typeof createPlugin> | null = null
  const through = meanwhile(method, moment, async () => other && edit(other))
  const opened = await guarded(override, 100, through)
  other = opened.otherClient
  return opened
}

const foreign = (follower: number) => ({ master: 1009, follower, mode: 'mult', value: 1, direction: 'same' })

test('the rule that the DELETE hit after another client removed one is added again, and not that one', async () => {
  const { plugin, otherClient, followers, recorded } = await guardedWithEdit('DELETE', 'before', (other) =>
    other.remove(2),
  )
  await plugin.add(own)
  await plugin.list()
  for (const follower of [2004, 2005, 2006]) await otherClient.add(foreign(follower))
  await expect(plugin.list()).rejects.toThrow(ConcurrentEdit)
  await expect(plugin.remove(3)).rejects.toThrow(/added again: #4 1009>2004/)
  expect(followers()).toEqual([2001, 2002, own.follower, 2005, 2006, 2004])
  expect(recorded()?.restored).toMatchObject([{ follower: 2004 }])
})

test('if the DELETE may have hit one of several rules, all are named and none is added again', async () => {
  const { plugin, otherClient, followers, recorded } = await guardedWithEdit('DELETE', 'before', async (other) => {
    await other.remove(2)
    await other.remove(3)
  })
  await plugin.add(own)
  await plugin.list()
  for (const follower of [2004, 2005, 2006, 2007]) await otherClient.add(foreign(follower))
  await expect(plugin.list()).rejects.toThrow(ConcurrentEdit)
  const message = await plugin.remove(3).catch((error: Error) => error.message)
  expect(message).toMatch(/nothing was added again.*1009>2004.*1009>2005.*the list before.*the list after/)
  expect(followers().filter(isForeign)).toEqual([2001, 2002, 2006, 2007])
  expect(recorded()).toMatchObject({ lost: [], possiblyLost: [{ follower: 2004 }, { follower: 2005 }], restored: [] })
})

test('a rule that was added again after a rule of another client is recorded as moved', async () => {
  const edit = (other: ReturnType<typeof createPlugin>) => other.add(foreign(2009))
  const { plugin, recorded } = await guardedWithEdit('DELETE', 'before', edit, removesTheOneBefore)
  await plugin.add(own)
  await expect(plugin.remove(3)).rejects.toThrow(ServerFault)
  expect(recorded()).toMatchObject({ restored: [{ follower: 2003 }], moved: [{ rule: { follower: 2003 } }] })
})

test('a rule that was added again after its former successor is recorded as moved', async () => {
  const { plugin, otherClient, recorded } = await guardedWithEdit('DELETE', 'before', (other) => other.remove(2))
  await plugin.add(own)
  await plugin.list()
  for (const follower of [2009, 2010]) await otherClient.add(foreign(follower))
  await expect(plugin.list()).rejects.toThrow(ConcurrentEdit)
  await expect(plugin.remove(3)).rejects.toThrow(/was added again/)
  const run = recorded()
  expect(run).toMatchObject({ restored: [{ follower: 2009 }], moved: [{ rule: { index: 4, follower: 2009 } }] })
  expect(run?.moved[0]?.order.map(({ follower }) => follower)).toEqual([2001, 2002, 2009, 2010])
})

test.for([
  { order: 'removes a rule and adds another', edits: ['remove', 'add'] },
  { order: 'adds a rule and removes another', edits: ['add', 'remove'] },
])(
  'a DELETE that hit a rule that no list shows does not count against the server: another client $order',
  async ({ edits }) => {
    const { plugin, followers, recorded } = await guardedWithEdit('DELETE', 'before', async (other) => {
      for (const edit of edits) await (edit === 'add' ? other.add(foreign(2009)) : other.remove(0))
    })
    await plugin.add(own)
    const error = await plugin.remove(3).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ConcurrentEdit)
    expect((error as Error).message).toMatch(/nothing was added again.*1001>2001.*no list shows.*the list before/)
    expect(followers().filter(isForeign)).toEqual([2002, 2003])
    expect(recorded()).toMatchObject({
      lost: [],
      possiblyLost: [{ follower: 2001 }],
      possiblyUnlisted: true,
      restored: [],
      removalUnsafeReason: null,
    })
  },
)

test('a DELETE that hit a foreign rule instead of one of the kit: both explanations are named', async () => {
  // A clean-up of a list to which another client added a rule.
  const { plugin, otherClient, followers, recorded } = await guardedWithEdit('DELETE', 'before', (other) =>
    other.remove(3),
  )
  await plugin.add(own)
  await plugin.list()
  await otherClient.add(foreign(2009))
  await expect(plugin.list()).rejects.toThrow(ConcurrentEdit)
  await expect(plugin.remove(3)).rejects.toThrow(/nothing was added again: #4 1009>2009/)
  expect(followers().filter(isForeign)).toEqual([2001, 2002, 2003])
  expect(recorded()).toMatchObject({ lost: [], possiblyLost: [{ follower: 2009 }], restored: [] })
})

const atStart = (rules: readonly Rule[], rule: Rule) => ({ rules: [rule, ...rules], position: 0 })

test('a DELETE that hit a rule just inserted before the one of the kit does not count against the server', async () => {
  const insert = (other: ReturnType<typeof createPlugin>) => other.add(foreign(2009))
  const { plugin, followers, recorded } = await guardedWithEdit('DELETE', 'before', insert, () => ({
    addRule: atStart,
  }))
  await plugin.add(own)
  await expect(plugin.remove(0)).rejects.toThrow(/no list shows/)
  expect(followers().filter(isForeign)).toEqual([2001, 2002, 2003])
  expect(recorded()).toMatchObject({ lost: [], possiblyLost: [], possiblyUnlisted: true })
})

test('the first change that a list shows late ends the run, since a later DELETE could remove another rule', async () => {
  const late = async (client: Client): Promise<Client> => {
    const before = await createPlugin(client, key).list()
    let isLate = false
    return async (request) => {
      if (request.method === 'GET' && isLate) {
        isLate = false
        return before
      }
      isLate = request.method === 'POST'
      return client(request)
    }
  }
  const { plugin, followers } = await guarded(() => ({ addRule: atStart }), 100, late)
  await expect(plugin.add(own)).rejects.toThrow(
    /^the list shows changes late, because of the server or of a cache in front of it: one was shown after \d+ ms$/,
  )
  expect(followers()).toEqual([own.follower, 2001, 2002, 2003])
})

test('a server whose list shows no added rule is not waited for each time', async () => {
  const { plugin } = await guarded(() => ({ addRule: (rules) => ({ rules, position: 0 }) }))
  await plugin.add(own)
  const start = performance.now()
  await plugin.add(own)
  expect(performance.now() - start).toBeLessThan(200)
})

test('a server that removes nothing is left to the checks, even if it inserts at the start', async () => {
  const { plugin, recorded } = await guarded(() => ({ addRule: atStart, removeRule: (rules) => rules }))
  await plugin.add(own)
  expect((await plugin.remove(0)).status).toBe(200)
  expect(recorded()).toMatchObject({ lost: [], possiblyLost: [], possiblyUnlisted: false })
})

test.for([
  { which: 'the next rule of the kit is removed', index: 3 },
  { which: 'the index is gone', index: 5 },
])(
  'another client that removes the rule of the kit first does not count against the server: $which',
  async ({ index }) => {
    const { plugin, followers, recorded } = await guardedWithEdit('DELETE', 'before', (other) => other.remove(index))
    for (const follower of [11, 12, 13]) await plugin.add({ ...own, follower: 900_000_000 + follower })
    await expect(plugin.remove(index)).rejects.toThrow(/another client changed the rules of the kit/)
    expect(followers().filter(isForeign)).toEqual([2001, 2002, 2003])
    expect(recorded()).toMatchObject({ lost: [], possiblyLost: [], possiblyUnlisted: false })
  },
)

test('the server is not blamed for a client that inserts a rule at the start, removes it and another one', async () => {
  const { plugin, followers, recorded } = await guardedWithEdit(
    'DELETE',
    'before',
    async (other) => {
      await other.remove(3)
      await other.add(foreign(2009))
      await other.add(foreign(2010))
    },
    ({ removeRule }) => ({
      addRule: atStart,
      // The other client removes its two rules again, right after the DELETE of the kit.
      removeRule: (rules, position) =>
        removeRule(rules, position).filter(({ follower }) => ![2009, 2010].includes(Number(follower))),
    }),
  )
  await plugin.add(own)
  await plugin.add({ ...own, follower: 900_000_011 })
  const error = await plugin.remove(1).catch((caught: unknown) => caught)
  expect(error).not.toBeInstanceOf(ServerFault)
  expect(followers().filter(isForeign)).toEqual([2001, 2003])
  expect(recorded()).toMatchObject({ restored: [], removalUnsafeReason: null })
})

test('a server that removes a wrong rule of the kit is left to the checks', async () => {
  const { plugin, recorded } = await guarded(({ removeRule }) => ({
    removeRule: (rules, position) => removeRule(rules, Math.min(position + 1, rules.length - 1)),
  }))
  for (const follower of [11, 12]) await plugin.add({ ...own, follower: 900_000_000 + follower })
  expect((await plugin.remove(3)).status).toBe(200)
  expect(recorded()).toMatchObject({ unconfirmed: null, lost: [], possiblyLost: [] })
})

test.for(['00', '+0', '%200', '0%20', '0%09', '0_0', '%D9%A0', '0abc', '0.0', 'first'])(
  'if a DELETE of %s removes a rule of the kit, the request is not repeated, so that no foreign rule is lost',
  async (spelling) => {
    const { plugin, followers, recorded } = await guarded(() => ({ addRule: atStart, parseIndex: () => 0 }))
    await plugin.add(own)
    expect((await plugin.remove(spelling)).status).toBe(200)
    expect(followers()).toEqual([2001, 2002, 2003])
    expect(recorded()).toMatchObject({ unconfirmed: null, lost: [], possiblyLost: [], possiblyUnlisted: false })
  },
)

test.for(['00', '+0', '%200', '0%20', '0%09', '0_0', '%D9%A0'])(
  'another spelling of the index does not delete a foreign rule: %s',
  async (spelling) => {
    const { plugin, followers } = await guarded(() => ({ parseIndex: () => 0 }))
    await expect(plugin.remove(spelling)).rejects.toThrow(ConcurrentEdit)
    expect(followers()).toEqual([2001, 2002, 2003])
  },
)

test('the server is not blamed for a client that removes a rule while the kit removes one', async () => {
  const { plugin, followers, recorded } = await guardedWithEdit('DELETE', 'after', (other) => other.remove(0))
  await plugin.add(own)
  await expect(plugin.remove(3)).rejects.toThrow(/the request removed a foreign rule, or another client did/)
  expect(followers().filter(isForeign)).toEqual([2002, 2003])
  expect(recorded()).toMatchObject({ lost: [], possiblyLost: [{ follower: 2001 }], restored: [] })
})

test('the server is not blamed for a client that removes rules at different positions during a DELETE and its repetitions', async () => {
  const edits = [0, 0, 2]
  let removals = 0
  const { plugin, followers, recorded } = await guarded(
    ({ removeRule }) => ({
      removeRule: (rules, position) => removeRule(rules, position).toSpliced(edits[removals++] ?? 0, 1),
    }),
    undefined,
    undefined,
    { ...copy, Copy_4: '1004>2004,mult,1,same', Copy_5: '1005>2005,mult,1,same' },
  )
  await plugin.add(own)
  await expect(plugin.remove(5)).rejects.toThrow(ConcurrentEdit)
  expect(followers().filter(isForeign)).toEqual([2003, 2004])
  expect(recorded()).toMatchObject({
    lost: [],
    possiblyLost: [{ follower: 2001 }, { follower: 2002 }, { follower: 2005 }],
    restored: [],
    removalUnsafeReason: null,
  })
})

interface FullServer {
  readonly what: string
  readonly add: (rules: readonly Rule[], rule: Rule) => readonly Rule[]
  readonly after: readonly number[]
}

test.for<FullServer>([
  { what: 'removes the oldest', add: ([, ...rest], rule) => [...rest, rule], after: [2001, 2002, 2003] },
  { what: 'overwrites the last', add: (rules, rule) => [...rules.slice(0, -1), rule], after: [2001, 2002, 2003] },
  { what: 'drops the last and adds nothing', add: (rules) => rules.slice(0, -1), after: [2001, 2002, 2003] },
  {
    what: 'drops the first and answers 500',
    add: (rules) => rules.slice(1),
    after: [2001, 2002, 2003],
  },
])(
  'a full server that $what: the rule is added again, the server has failed, and nothing more is added',
  async ({ what, add, after }) => {
    const { plugin, followers, recorded } = await guarded((base) => {
      let full = false
      return {
        isFull: () => false,
        addRule: (rules, rule) => {
          full = rules.length >= 3
          return full ? { rules: add(rules, rule), position: 0 } : base.addRule(rules, rule)
        },
        finish: (response) =>
          full && response.status === 201 && what.endsWith('500') ? { ...response, status: 500 } : response,
      }
    })
    const lost = await plugin.add(own).catch((error: unknown) => error)
    expect(lost).toBeInstanceOf(ServerFault)
    expect((lost as ServerFault).failure.code).toBe('list.other-rule-lost-by-add')
    expect(followers()).toEqual(after)
    await expect(plugin.add({ ...own, follower: 900_000_003 })).rejects.toBe(lost)
    expect(followers()).toEqual(after)
    expect(recorded()).toMatchObject({ lost: [], removalUnsafeReason: null })
    expect(recorded()?.restored).not.toEqual([])
    expect((await plugin.list()).status).toBe(200)
  },
)

test('a rule that another client removed in addition to the one that a full server lost is not added again', async () => {
  const { plugin, followers, recorded } = await guardedWithEdit(
    'POST',
    'after',
    (other) => other.remove(1),
    ({ addRule }) => ({
      isFull: () => false,
      addRule: (rules, rule) => addRule(rules.length < 3 ? rules : rules.slice(1), rule),
    }),
  )
  await expect(plugin.add(own)).rejects.toThrow(
    /the server did it, or another client did|A request that may add a rule/,
  )
  expect(followers()).not.toContain(2003)
  expect(recorded()?.possiblyLost).toMatchObject([{ follower: 2001 }, { follower: 2002 }, { follower: 2003 }])
})

/** Makes the next of these edits after each POST. */
async function guardedWithEdits(
  edits: readonly ((other: ReturnType<typeof createPlugin>) => Promise<unknown>)[],
  override?: SimulatorOptions['override'],
) {
  let other: ReturnType<typeof createPlugin> | null = null
  let posts = 0
  const through =
    (client: Client): Client =>
    async (request) => {
      const response = await client(request)
      const edit = request.method === 'POST' ? edits[posts++] : undefined
      if (other !== null) await edit?.(other)
      return response
    }
  const opened = await guarded(override, 100, through)
  other = opened.otherClient
  return opened
}

test('the server is not blamed for a client that removes a rule, and moves one during the repeated POST', async () => {
  const { plugin, followers, recorded } = await guardedWithEdits([
    (other) => other.remove(0),
    async (other) => {
      await other.remove(0)
      await other.add({ master: 1002, follower: 2002, mode: 'mult', value: 1, direction: 'same' })
    },
  ])
  await expect(plugin.add(own)).rejects.toThrow(/the server did it, or another client did/)
  expect(followers()).not.toContain(2001)
  expect(recorded()).toMatchObject({ lost: [], possiblyLost: [{ follower: 2001 }], restored: [], reordered: true })
})

test('the server is not blamed for a client that removes a rule during a POST and one during its repetition', async () => {
  const { plugin, followers, recorded } = await guardedWithEdits([
    (other) => other.remove(0),
    (other) => other.remove(0),
  ])
  await expect(plugin.add(own)).rejects.toThrow(/the server did it, or another client did/)
  expect(followers().filter(isForeign)).toEqual([2003])
  expect(recorded()).toMatchObject({
    lost: [],
    possiblyLost: [{ follower: 2001 }, { follower: 2002 }],
    restored: [],
  })
})

test('a server that changes the order when a rule is added has failed, and the ledger says so', async () => {
  const { plugin, recorded } = await guarded(({ addRule }) => ({
    addRule: (rules, rule) => addRule([...rules].reverse(), rule),
  }))
  await expect(plugin.add(own)).rejects.toThrow(ServerFault)
  expect(recorded()).toMatchObject({ lost: [], reordered: true })
})

test('a server that loses a rule at each addition gets no further rule, and all lost rules are named', async () => {
  const { plugin, recorded } = await guarded(({ addRule }) => ({
    addRule: (rules, rule) => addRule(rules.slice(1), rule),
  }))
  await expect(plugin.add(own)).rejects.toThrow(ServerFault)
  expect(recorded()).toMatchObject({
    lost: [{ follower: 2003 }, { follower: 2001 }],
    restored: [{ follower: 2001 }, { follower: 2002 }],
  })
})

test('a rule that another client removed during the first POST of that length is not added again', async () => {
  const { plugin, followers, recorded } = await guardedWithEdit('POST', 'after', (other) => other.remove(0))
  await expect(plugin.add(own)).rejects.toThrow(/the server did it, or another client did/)
  expect(followers().filter(isForeign)).toEqual([2002, 2003])
  expect(recorded()).toMatchObject({ lost: [], possiblyLost: [{ follower: 2001 }], restored: [] })
})

test('a rule that vanished before the POST was removed by another client', async () => {
  const { plugin, otherClient, followers, recorded } = await guarded()
  await otherClient.remove(0)
  await expect(plugin.add(own)).rejects.toThrow(/another client changed the list/)
  expect(followers()).toEqual([2002, 2003])
  expect(recorded()).toMatchObject({ lost: [], restored: [] })
})

test('a rule that vanished during a POST while a foreign one appeared: both are named, nothing is added again', async () => {
  const { plugin, followers, recorded } = await guardedWithEdit('POST', 'after', async (other) => {
    await other.remove(0)
    await other.add(foreign(2009))
  })
  await expect(plugin.add(own)).rejects.toThrow(/the server did it, or another client did.*1001>2001.*the list before/)
  expect(followers()).toEqual([2002, 2003, own.follower, 2009])
  expect(recorded()).toMatchObject({ lost: [], possiblyLost: [{ follower: 2001 }], restored: [] })
})

test('a rule that vanished during a POST for which the list had room is not added again', async () => {
  let other: ReturnType<typeof createPlugin> | null = null
  let posts = 0
  const through =
    (client: Client): Client =>
    async (request) => {
      const response = await client(request)
      if (request.method === 'POST') posts += 1
      if (request.method === 'POST' && posts === 2) await other?.remove(0)
      return response
    }
  const { plugin, otherClient, followers } = await guarded(undefined, 100, through)
  other = otherClient
  await plugin.add(own)
  await plugin.remove(3)
  await expect(plugin.add(own)).rejects.toThrow(/the server did it, or another client did/)
  expect(followers()).toEqual([2002, 2003, own.follower])
})

test('of several concurrent POSTs to a full server only one and its two repetitions can cost a rule', async () => {
  const { plugin, followers, recorded } = await guarded(({ addRule }) => ({
    isFull: () => false,
    addRule: (rules, rule) => addRule(rules.length < 3 ? rules : rules.slice(1), rule),
  }))
  const drafts = [11, 12, 13, 14].map((last) => ({ ...own, follower: 900_000_000 + last }))
  const results = await Promise.allSettled(drafts.map((draft) => plugin.add(draft)))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  expect(followers()).toEqual([2001, 2002, 2003])
  expect(recorded()?.restored).toMatchObject([{ follower: 2001 }, { follower: 2002 }, { follower: 2003 }])
})

test('concurrent POSTs are sent concurrently if the list is known to have room for them', async () => {
  let pending = 0
  let most = 0
  const counting =
    (client: Client): Client =>
    async (request) => {
      if (request.method !== 'POST') return client(request)
      pending += 1
      most = Math.max(most, pending)
      return client(request).finally(() => {
        pending -= 1
      })
    }
  const { plugin } = await guarded(undefined, 100, counting)
  const drafts = [11, 12, 13].map((last) => ({ ...own, follower: 900_000_000 + last }))
  for (const draft of drafts) await plugin.add(draft)
  for (const index of [5, 4, 3]) await plugin.remove(index)
  expect(most).toBe(1)
  await Promise.all(drafts.map((draft) => plugin.add(draft)))
  expect(most).toBeGreaterThan(1)
})

test('the list after a write is reused for the next read of the check and before the next write', async () => {
  const { plugin, sent } = await guarded()
  await plugin.add(own)
  const [, , , added] = rulesIn(await plugin.list())
  await plugin.remove(added?.index ?? -1)
  expect(sent.splice(0)).toEqual(['GET', 'POST', 'GET', 'DELETE', 'GET'])
  expect(rulesIn(await plugin.list())).toHaveLength(3)
  expect(sent, 'it was read already').toEqual([])
  await plugin.list()
  expect(sent, 'what a check reads twice is sent twice').toEqual(['GET'])
})

test.for<[what: string, send: (plugin: ReturnType<typeof createPlugin>) => Promise<unknown>]>([
  ['another request', (plugin) => plugin.status()],
  ['a read with another key', (plugin) => plugin.list({ key: 'another' })],
  ['a while', () => delay(150)],
])('after %s the list is read before a write', async ([, send]) => {
  const { plugin, sent } = await guarded()
  await plugin.add(own)
  await send(plugin)
  sent.splice(0)
  await plugin.add({ ...own, follower: own.follower + 1 })
  expect(sent).toEqual(['GET', 'POST', 'GET'])
})

test('a list that was read during another request is read again before a write', async () => {
  const { plugin, sent } = await guarded()
  await Promise.all([plugin.list(), plugin.list()])
  sent.splice(0)
  await plugin.add(own)
  expect(sent).toEqual(['GET', 'POST', 'GET'])
})

test('a POST without a response may still take effect, so the list is read again before a DELETE', async () => {
  const { plugin, sent } = await guarded(undefined, 100, (client) => async (request) => {
    const response = await client(request)
    if (request.method === 'POST') throw new NoResponse('lost', response.exchange)
    return response
  })
  await expect(plugin.add(own)).rejects.toThrow(NoResponse)
  await plugin.remove(3)
  expect(sent).toEqual(['GET', 'POST', 'GET', 'GET', 'DELETE', 'GET'])
})
