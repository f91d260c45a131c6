import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import { clientFor } from '../client/client.test-data.ts'
import type { Client } from '../client/client.ts'
import { NoResponse } from '../client/response.ts'
import { createPlugin, keyHeader } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { ConcurrentEdit, createWatch } from './concurrent-edit.ts'
import { guardClient } from './guard.ts'
import { openLedger, readLedger } from './ledger.ts'
import { createBudget, TooManyWrites } from './write-guard.ts'

const key = 'a-key-for-tests'
const copy = { Copy_1: '1001>2001,mult,1,same', Copy_2: '1002>2002,mult,1,same', Copy_3: '1003>2003,mult,1,same' }
const own = { master: 900_000_001, follower: 900_000_002, mode: 'mult', value: 1, direction: 'same' }

/** A server with foreign rules, three by default, behind the guard. */
async function guarded(
  override: SimulatorOptions['override'] = () => ({}),
  mostWrites = 100,
  through: (client: Client) => Client = (client) => client,
  ofOthers: Readonly<Record<string, string>> = copy,
) {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key, ...ofOthers }, override })
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
  const guard = guardClient({
    client: through(client),
    headers: keyHeader(key),
    ledger,
    watch: createWatch(before, isOwn),
    isOwn,
    note: () => [],
    countWrite: createBudget(mostWrites, 'writes'),
  })
  return {
    simulator,
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

test('the index of a foreign rule is never sent', async () => {
  const { plugin, followers } = await guarded()
  await expect(plugin.remove(1)).rejects.toThrow(ConcurrentEdit)
  await expect(plugin.remove('01')).rejects.toThrow(ConcurrentEdit)
  expect(followers()).toEqual([2001, 2002, 2003])
})

test('a rule that another client adds is noticed at the next look, with what changed', async () => {
  const { plugin, otherClient } = await guarded()
  await otherClient.add({ ...own, master: 5, follower: 6 })
  await expect(plugin.list()).rejects.toThrow(/5>6 mult 1 same/)
})

test('a foreign rule that the DELETE hit is added again at once, and the run stops', async () => {
  // The server removes the rule before the one that was meant, as if the indices had just moved.
  const { plugin, followers, recorded } = await guarded(({ removeRule }) => ({
    removeRule: (rules, position) => removeRule(rules, Math.max(position - 1, 0)),
  }))
  await plugin.add(own)
  await expect(plugin.remove(3)).rejects.toThrow(/added again: #2 1003>2003/)
  expect(followers().toSorted()).toEqual([2001, 2002, 2003, own.follower])
  // recorded before it was added again; only what is still missing at the end counts as lost.
  expect(recorded()).toMatchObject({
    lost: [{ follower: 2003 }],
    restored: [{ follower: 2003 }],
    removalUnsafeReason: expect.stringContaining('a rule other than the one at that index'),
  })
})

test('foreign rules that disappear together with one of the kit are recorded, and the run stops', async () => {
  const { plugin, recorded } = await guarded(() => ({ removeRule: (rules) => rules.slice(0, 2) }))
  await plugin.add(own)
  await expect(plugin.remove(3)).rejects.toThrow(ConcurrentEdit)
  expect(recorded()?.lost).toMatchObject([{ master: 1003, follower: 2003 }])
})

/** Two foreign rules have the same content: each of them moves money, so each counts. */
const twice = { ...copy, Copy_4: copy.Copy_3 }

test('of two equal foreign rules the one that the DELETE hit is added again', async () => {
  const hitsTheOneBefore: SimulatorOptions['override'] = ({ removeRule }) => ({
    removeRule: (rules, position) => removeRule(rules, Math.max(position - 1, 0)),
  })
  const { plugin, followers } = await guarded(hitsTheOneBefore, undefined, undefined, twice)
  await plugin.add(own)
  await expect(plugin.remove(4)).rejects.toThrow(/added again: #3 1003>2003/)
  expect(followers().toSorted()).toEqual([2001, 2002, 2003, 2003, own.follower])
})

test('of two equal foreign rules the one that disappeared with a rule of the kit is recorded', async () => {
  const takesTheOneBefore: SimulatorOptions['override'] = () => ({ removeRule: (rules) => rules.slice(0, 3) })
  const { plugin, recorded } = await guarded(takesTheOneBefore, undefined, undefined, twice)
  await plugin.add(own)
  await expect(plugin.remove(4)).rejects.toThrow(/foreign rules disappeared together with a rule of the kit/)
  expect(recorded()?.lost).toMatchObject([{ master: 1003, follower: 2003 }])
})

test('a foreign rule that cannot be added again is recorded as lost', async () => {
  let additions = 0
  const { plugin, recorded } = await guarded(({ removeRule, addRule }) => ({
    removeRule: (rules, position) => removeRule(rules, Math.max(position - 1, 0)),
    addRule: (rules, rule) => {
      additions += 1
      if (additions > 1) throw new Error('no further rule')
      return addRule(rules, rule)
    },
  }))
  await plugin.add(own)
  await expect(plugin.remove(3)).rejects.toThrow(/could not be added again/)
  expect(recorded()?.lost).toMatchObject([{ master: 1003, follower: 2003 }])
})

test('a foreign rule that is gone after a DELETE without an answer is recorded as lost', async () => {
  const cutting =
    (client: Client): Client =>
    async (request) => {
      const response = await client(request)
      if (request.method === 'DELETE') throw new NoResponse('cut off', response.exchange)
      return response
    }
  const hitsTheOneBefore: SimulatorOptions['override'] = ({ removeRule }) => ({
    removeRule: (rules, position) => removeRule(rules, Math.max(position - 1, 0)),
  })
  const { plugin, recorded } = await guarded(hitsTheOneBefore, 100, cutting)
  await plugin.add(own)
  await expect(plugin.remove(3)).rejects.toThrow(ConcurrentEdit)
  expect(recorded()?.lost).toMatchObject([{ master: 1003, follower: 2003 }])
})

test('no more writes leave than were announced', async () => {
  const { plugin } = await guarded(undefined, 1)
  await plugin.add(own)
  await expect(plugin.add({ ...own, follower: 900_000_003 })).rejects.toThrow(TooManyWrites)
})
