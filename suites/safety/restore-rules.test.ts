import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import { clientFor } from '../client/client.test-data.ts'
import type { Client } from '../client/client.ts'
import type { Method } from '../client/request.ts'
import { NoResponse } from '../client/response.ts'
import type { Draft } from '../model/rule.ts'
import { defaultLogins } from '../session/logins.ts'
import { openLedger } from './ledger.ts'
import { restoreRules } from './restore-rules.ts'

const key = 'a-key-for-tests'

function rule(follower: number): Draft {
  return { master: 1000, follower, mode: 'mult', value: 1, direction: 'same' }
}

/** The followers in the list of a server after the removed rules were added again. */
async function followersAfter(
  { order, present, removed }: Readonly<Record<'order' | 'present' | 'removed', readonly number[]>>,
  profile: { readonly 'plugin.add.position'?: 'start' } = {},
  isRemovalSafe = true,
  through: (client: Client) => Client = (client) => client,
): Promise<readonly number[]> {
  const copies = present.map((follower, at) => [`Copy_${at + 1}`, `1000>${follower},mult,1,same`] as const)
  const parameters = { API_Key: key, ...Object.fromEntries(copies) }
  const simulator = createSimulator({ port: 0, parameters, profile })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ledger = openLedger(join(folder, 'ledger.jsonl'), (text) => text)
  const client = through(clientFor(simulator.url))
  const lists = { order: order.map(rule), removed: removed.map(rule) }
  await restoreRules({ client, key, logins: defaultLogins, ledger, isRemovalSafe, ...lists })
  return simulator.rules.map(({ follower }) => Number(follower))
}

test.each([
  { what: 'nothing was removed', order: [1, 2, 3], present: [1, 2, 3], removed: [] },
  { what: 'one is missing in between', order: [1, 2, 3], present: [1, 3], removed: [2] },
  { what: 'equal rules stand on both sides of the gap', order: [1, 2, 3, 1], present: [1, 2, 1], removed: [3] },
  { what: 'one of two equal rules is missing', order: [1, 2, 1, 3], present: [1, 2, 3], removed: [1] },
])('rules get their original order again, even if new ones are inserted at the start: $what', async (lists) => {
  expect(await followersAfter(lists)).toEqual(lists.order)
  expect(await followersAfter(lists, { 'plugin.add.position': 'start' })).toEqual(lists.order)
})

test('on a server that removes other rules than requested nothing is removed, and missing rules are added', async () => {
  expect(await followersAfter({ order: [1, 2, 3], present: [1, 3], removed: [2] }, {}, false)).toEqual([1, 3, 2])
})

test('a rule whose removal gets no response is not lost', async () => {
  let lost = false
  const losingOne = (client: Client): Client => {
    return async (request) => {
      const response = await client(request)
      if (request.method !== 'DELETE' || lost) return response
      const { rules } = (await client({ ...request, method: 'GET', path: '/api/rules' })).json as { rules: unknown[] }
      // Excludes the rules with which the kit learns where the server inserts.
      if (rules.length > 1) return response
      lost = true
      throw new NoResponse('cut off', response.exchange)
    }
  }
  const lists = { order: [1, 2, 3], present: [1, 3], removed: [2] }
  expect(await followersAfter(lists, {}, true, losingOne)).toEqual([1, 2, 3])
  expect(lost).toBe(true)
})

test('after a lost response to a rule that shows where the server inserts, no existing rule is removed', async () => {
  const sent: Method[] = []
  const losingFirst = (client: Client): Client => {
    return async (request) => {
      const response = await client(request)
      sent.push(request.method)
      if (sent.filter((method) => method === 'POST').length !== 1 || request.method !== 'POST') return response
      throw new NoResponse('cut off', response.exchange)
    }
  }
  const lists = { order: [1, 2, 3], present: [1, 2], removed: [3] }
  expect(await followersAfter(lists, {}, true, losingFirst)).toEqual([1, 2, 3])
  // The lost rule of the kit and the two that follow it.
  expect(sent.filter((method) => method === 'DELETE')).toHaveLength(3)
})
