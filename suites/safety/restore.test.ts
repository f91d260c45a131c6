import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import { clientFor } from '../client/client.test-data.ts'
import { defaultLogins } from '../session/logins.ts'
import { createPlugin } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { openLedger } from './ledger.ts'
import { ownByRange } from './ownership.ts'
import { restoreList } from './restore.ts'

const key = 'a-key-for-tests'
const copy = { Copy_1: '1001>2001,mult,1,same', Copy_2: '1002>2002,mult,1,same', Copy_3: '1003>2003,mult,1,same' }
const own = { master: 900_000_001, follower: 900_000_002, mode: 'mult', value: 1, direction: 'same' }

/** What becomes of a list with three foreign rules and one of the kit. */
async function restored(override: SimulatorOptions['override'] = () => ({})) {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key, ...copy }, override })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ledger = openLedger(join(folder, 'ledger.jsonl'), (text) => text)
  const client = clientFor(simulator.url)
  const plugin = createPlugin(client, key)
  const before = rulesIn(await plugin.list())
  await plugin.add(own)
  const options = { client, key, isOwn: ownByRange(defaultLogins, before), ledger, timeoutMs: 3_000 }
  const result = await restoreList(options)
  return {
    ...result,
    again: () => restoreList({ ...options, removalUnsafeReason: result.removalUnsafeReason }),
    followers: simulator.rules.map(({ follower }) => Number(follower)),
  }
}

test('the rule of the kit is removed, and nothing else', async () => {
  expect(await restored()).toMatchObject({
    left: [],
    edits: [],
    removalUnsafeReason: null,
    followers: [2001, 2002, 2003],
  })
})

test('a server that removes another rule than the one at that index is not asked to again', async () => {
  let removals = 0
  const { left, edits, removalUnsafeReason, again, followers } = await restored(({ removeRule }) => ({
    removeRule: (rules, position) => {
      removals += 1
      return removeRule(rules, Math.max(position - 1, 0))
    },
  }))
  expect(removals).toBe(1)
  expect(left).toMatchObject([own])
  expect(edits).toEqual([])
  expect(removalUnsafeReason).toContain('a rule other than the one at that index')
  // The rule that it hit was added again; the others were never touched.
  expect(followers).toEqual([2001, 2002, own.follower, 2003])
  expect(await again()).toMatchObject({
    left: [own],
    removalUnsafeReason: expect.stringContaining('a rule other than'),
  })
  expect(removals).toBe(1)
})
