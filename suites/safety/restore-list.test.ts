import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import { clientFor, responseOf } from '../client/client.test-data.ts'
import type { Client } from '../client/client.ts'
import { patient } from '../client/rate-limit.ts'
import { NoResponse } from '../client/response.ts'
import type { Draft } from '../model/rule.ts'
import { defaultLogins } from '../session/logins.ts'
import { createPlugin } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { type RestoreOptions, restoreList } from './clean-up.ts'
import { openLedger } from './ledger.ts'
import { ownByRange } from './ownership.ts'

const key = 'a-key-for-tests'
const copy = { Copy_1: '1001>2001,mult,1,same', Copy_2: '1002>2002,mult,1,same', Copy_3: '1003>2003,mult,1,same' }
const own = { master: 900_000_001, follower: 900_000_002, mode: 'mult', value: 1, direction: 'same' }

/** Restores a list with three foreign rules and one of the kit. */
async function restored(
  override: SimulatorOptions['override'] = () => ({}),
  written: readonly Draft[] = [own],
  {
    unsafeReason,
    unlisted,
    through = (client) => client,
    ...more
  }: Partial<RestoreOptions> & {
    readonly unsafeReason?: string
    readonly unlisted?: true
    readonly through?: (client: Client) => Client
  } = {},
) {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key, ...copy }, override })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ledger = openLedger(join(folder, 'ledger.jsonl'), (text) => text)
  const opening = { schema: 'copytrade-tck/ledger@1', target: simulator.url, startedAt: '', before: [] } as const
  ledger.append({ event: 'open', ...opening, logins: defaultLogins })
  if (unsafeReason !== undefined) ledger.append({ event: 'misled', reason: unsafeReason })
  if (unlisted) ledger.append({ event: 'unlisted' })
  const client = clientFor(simulator.url)
  const plugin = createPlugin(client, key)
  const before = rulesIn(await plugin.list())
  for (const rule of written) await plugin.add(rule)
  const options = {
    client: patient(through(client)),
    key,
    isOwn: ownByRange(defaultLogins, before),
    ledger,
    timeoutMs: 3_000,
    ...more,
  }
  const result = await restoreList(options)
  return {
    ...result,
    followers: simulator.rules.map(({ follower }) => Number(follower)),
  }
}

test('the rule of the kit is removed, and nothing else', async () => {
  expect(await restored()).toMatchObject({
    left: [],
    edits: [],
    removalUnsafeReason: null,
    stop: null,
    followers: [2001, 2002, 2003],
  })
})

test('a server that seems to remove another rule than the one at the index gets at most two DELETEs', async () => {
  let removals = 0
  const { left, edits, followers } = await restored(({ removeRule }) => ({
    removeRule: (rules, position) => {
      removals += 1
      return removeRule(rules, Math.max(position - 1, 0))
    },
  }))
  expect(removals).toBe(2)
  expect(left).toMatchObject([own])
  expect(edits).toMatchObject([/1003>2003/, /1002>2002/].map((rule) => expect.stringMatching(rule)))
  expect(followers).toEqual([2001, own.follower])
})

test('a server that is known to remove another rule than the one at the index gets no DELETE', async () => {
  const reason = 'the server removed something else than the rule at the index'
  expect(await restored(() => ({ removeRule: () => [] }), [own], { unsafeReason: reason })).toMatchObject({
    left: [own],
    removalUnsafeReason: reason,
    stop: 'unsafe',
    followers: [2001, 2002, 2003, own.follower],
  })
})

test('a server that removes nothing gets three DELETE, and the rules of the kit are named', async () => {
  let removals = 0
  const { left, removalUnsafeReason, stop } = await restored(() => ({
    removeRule: (rules) => {
      removals += 1
      return rules
    },
  }))
  expect({ left, removalUnsafeReason, stop, removals }).toMatchObject({
    left: [own],
    removalUnsafeReason: null,
    stop: 'refused',
    removals: 3,
  })
})

const tooMany = (retryAfter: string) => responseOf(429, { 'retry-after': retryAfter }, Buffer.alloc(0), {} as never)

test('rules of the kit are removed although a rate limit rejects some of the requests', async () => {
  let requests = 0
  const through = (client: Client): Client => {
    return async (request) => {
      requests += 1
      return requests % 7 < 5 ? client(request) : tooMany('0')
    }
  }
  const written = Array.from({ length: 6 }, (_, at) => ({ ...own, value: at + 1 }))
  expect(await restored(undefined, written, { through })).toMatchObject({ left: [], stop: null })
})

test('a server that rejects each DELETE keeps the rules of the kit, and the status is known', async () => {
  const through = (client: Client): Client => {
    return async (request) => {
      return request.method === 'DELETE' ? tooMany('3600') : client(request)
    }
  }
  expect(await restored(undefined, [own], { through })).toMatchObject({ left: [own], stop: 'refused', status: 429 })
})

test('a temporarily invalid list is read again', async () => {
  let lists = 0
  const { left } = await restored(() => ({
    finish(response, { method }) {
      lists += method === 'GET' ? 1 : 0
      return method === 'GET' && lists > 1 && lists < 6 ? { ...response, body: Buffer.from('[') } : response
    },
  }))
  expect(left).toEqual([])
})

/** Restores the list of a server with three foreign rules and five of the kit, while another client edits it. */
async function restoredDuringEdits(pauseMs: number, timeoutMs: number) {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key, ...copy } })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ledger = openLedger(join(folder, 'ledger.jsonl'), (text) => text)
  const client = clientFor(simulator.url)
  const plugin = createPlugin(client, key)
  for (let at = 0; at < 5; at += 1) await plugin.add({ ...own, value: at + 1 })
  const other = createPlugin(clientFor(simulator.url), key)
  let isOver = false
  let waits = 0
  const edit = async () => {
    for (let follower = 3_000; !isOver; follower += 1) {
      await other.add({ master: 1, follower, mode: 'mult', value: 1, direction: 'same' })
      await delay(pauseMs)
    }
  }
  const editing = edit()
  const isOwn = ownByRange(defaultLogins, [])
  const result = await restoreList({ client, key, isOwn, ledger, timeoutMs, onWait: () => (waits += 1) })
  isOver = true
  await editing
  const others = simulator.rules.map(({ follower }) => Number(follower)).filter((follower) => follower < 900_000_000)
  return { ...result, others, waits }
}

test('if another client constantly edits the list, the rules are removed between its edits', async () => {
  const { left, others, waits } = await restoredDuringEdits(130, 15_000)
  expect({ left, waits }).toEqual({ left: [], waits: 1 })
  expect(others.slice(0, 3)).toEqual([2001, 2002, 2003])
  expect(others.slice(3)).toEqual(others.slice(3).map((_, at) => 3_000 + at))
})

test('if another client never pauses, nothing is removed, and each rule of the kit is named', async () => {
  const { left, stop, others } = await restoredDuringEdits(0, 400)
  expect({ left: left.length, stop }).toEqual({ left: 5, stop: 'timeout' })
  expect(others).toEqual([2001, 2002, 2003, ...others.slice(3).map((_, at) => 3_000 + at)])
})

test('a lost response and slow removals are not blamed on other clients, however short the wait for those is', async () => {
  let removals = 0
  const through = (client: Client): Client => {
    return async (request) => {
      if (request.method !== 'DELETE') return client(request)
      removals += 1
      await delay(60)
      if (removals !== 2) return client(request)
      throw new NoResponse('cut off', {} as never)
    }
  }
  let waits = 0
  const written = Array.from({ length: 4 }, (_, at) => ({ ...own, value: at + 1 }))
  const onWait = () => {
    waits += 1
  }
  const { left, stop } = await restored(undefined, written, { through, timeoutMs: 100, onWait })
  expect({ left, stop, waits }).toEqual({ left: [], stop: null, waits: 0 })
})

test('a server that lists removed rules again gets a limited number of DELETE', async () => {
  let removals = 0
  let readsUntilBack = 0
  const through = (client: Client): Client => {
    return async (request) => {
      if (request.method === 'GET' && readsUntilBack > 0) {
        readsUntilBack -= 1
        if (readsUntilBack === 0) await createPlugin(client, key).add(own)
      }
      if (request.method !== 'DELETE') return client(request)
      removals += 1
      if (removals > 20) throw new Error('there is no limit')
      if (removals % 2 === 1) return client(request)
      // After the reads of this pass.
      readsUntilBack = 7
      return responseOf(500, {}, Buffer.alloc(0), {} as never)
    }
  }
  const { stop } = await restored(undefined, [own, { ...own, value: 2 }], { through })
  expect({ stop, removals }).toEqual({ stop: 'refused', removals: 8 })
})

/** A cache in front of the server, which serves a list for 900 ms. The response to the second DELETE may be lost. */
function cached(isSecondLost: boolean) {
  let left = isSecondLost ? 2 : 0
  return (client: Client): Client => {
    let list: { readonly at: number; readonly response: ReturnType<Client> } | null = null
    return async (request) => {
      if (request.method === 'GET') {
        if (list === null || performance.now() - list.at > 900)
          list = { at: performance.now(), response: client(request) }
        return list.response
      }
      const response = await client(request)
      left -= 1
      if (left !== 0) return response
      throw new NoResponse('lost', response.exchange)
    }
  }
}

test.for([false, true])(
  'behind a cache each DELETE follows a list that shows the one before, also if its response is lost: %s',
  async (isSecondLost) => {
    const atStart: SimulatorOptions['override'] = () => ({
      addRule: (rules, rule) => ({ rules: [rule, ...rules], position: 0 }),
    })
    const written = [11, 12, 13].map((follower) => ({ ...own, follower })) as readonly Draft[]
    const { followers } = await restored(atStart, written, { through: cached(isSecondLost), timeoutMs: 20_000 })
    expect(followers).toEqual([2001, 2002, 2003])
  },
)

test('a clean-up waits for a rule that the list does not show yet, if the run met such a list', async () => {
  const hidden = (client: Client): Client => {
    const start = performance.now()
    return async (request) => {
      const response = await client(request)
      if (request.method !== 'GET' || performance.now() - start > 1_000) return response
      const rules = rulesIn(response).filter(({ master }) => master !== own.master)
      return { ...response, json: { rules, total: rules.length } }
    }
  }
  expect((await restored(() => ({}), [own], { through: hidden, unlisted: true })).followers).toEqual([2001, 2002, 2003])
})
