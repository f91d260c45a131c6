import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import { expect, test } from 'vitest'
import { seed, testSize } from '../../fixtures/test-size.ts'
import { pluginChecks } from '../../suites/checks/plugin/all.ts'
import { directTransport } from '../../suites/client/transport.ts'
import { plan } from '../../suites/runner/plan.ts'
import { createPluginContext } from '../../suites/runner/plugin/create-context.ts'
import { type PluginSettings, unguardedSettings } from '../../suites/runner/plugin/settings.ts'
import { runPlan } from '../../suites/runner/run-plan.ts'
import { restoreList } from '../../suites/safety/clean-up.ts'
import { type LedgerEntry, openLedger } from '../../suites/safety/ledger.ts'
import { ownByRange } from '../../suites/safety/ownership.ts'
import { defaultLogins } from '../../suites/session/logins.ts'
import type { Target } from '../../suites/targets/target.ts'
import { emptyFolder } from '../command.ts'
import { type LiveServer, liveKey, startLiveServer } from '../live-server.ts'

const rounds = testSize(6, 100)
const others = 200
/** The master of the rules that the other operator adds. */
const added = 4242

interface Content {
  readonly master: number
  readonly follower: number
}

/**
 * Another operator, which adds rules at the end and removes rules of the first half, each by an index that was just
 * read, until it is stopped. Returns the expected list of foreign rules.
 */
async function otherOperator(
  server: LiveServer,
  random: RandomGenerator,
  stop: AbortSignal,
): Promise<readonly Content[]> {
  const headers = { 'X-API-Key': liveKey, Connection: 'close' }
  let expected = contents(server)
  let next = 50_000
  let removals = 0
  while (!stop.aborted) {
    await delay(uniformInt(random, 0, 12))
    // With more removals the first half would reach the rules of the kit, which are not in `expected`.
    if (removals === others / 2 || uniformInt(random, 0, 1) === 0) {
      next += 1
      const rule = { master: added, follower: next, mode: 'fixed', value: 1, direction: 'same' }
      const { status } = await fetch(`${server.url}/api/rules`, { method: 'POST', headers, body: JSON.stringify(rule) })
      if (status === 201) expected = [...expected, { master: rule.master, follower: rule.follower }]
    } else {
      const index = uniformInt(random, 0, others / 2 - 1)
      const { status } = await fetch(`${server.url}/api/rules/${index}`, { method: 'DELETE', headers })
      if (status === 200) expected = expected.toSpliced(index, 1)
      removals += 1
    }
  }
  return expected
}

/** The foreign rules, in their order. */
function contents(server: LiveServer): readonly Content[] {
  return server
    .rules()
    .filter(({ master }) => master < 900_000_000n)
    .map(({ master, follower }) => ({ master: Number(master), follower: Number(follower) }))
}

/**
 * What the ledger states about foreign rules: followers that may be lost or moved, and how many losses no list shows.
 */
function readLedger(file: string) {
  const entries: LedgerEntry[] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const losses = entries.filter((entry) => entry.event === 'possibly-lost')
  return {
    lost: new Set(losses.flatMap(({ rules }) => rules.map(({ follower }) => Number(follower)))),
    unlisted: losses.filter(({ unlisted }) => unlisted).length,
    moved: new Set(entries.flatMap((entry) => (entry.event === 'moved' ? [Number(entry.rule.follower)] : []))),
  }
}

async function round(seed: number): Promise<{ readonly stopped: boolean; readonly wrote: boolean }> {
  const server = await startLiveServer(others, { capacity: 100_000 })
  const random = xorshift128plus(seed)
  const target: Target = {
    kind: 'url',
    transport: directTransport,
    url: server.url,
    key: liveKey,
    server: null,
    capabilities: [],
    capacity: null,
  }
  const settings: PluginSettings = {
    ...unguardedSettings(target, seed),
    risk: 'write',
    timeoutMs: 5_000,
    maxFill: 0,
  }
  const before = await createPluginContext(settings, null).main.rules.read()
  const ledgerFile = join(emptyFolder(), 'ledger.jsonl')
  const context = createPluginContext({ ...settings, safety: { before, ledgerFile, mostWrites: 100_000 } }, null)
  const checks = plan({
    checks: pluginChecks,
    risk: 'write',
    capabilities: [],
    only: ['plugin.delete.*', 'plugin.sequence.list'],
    skip: [],
  })

  // The other operator starts at any moment of the run and continues through the first clean-up.
  const stop = new AbortController()
  const comes = new Promise<void>((resolve) => server.afterWrites(uniformInt(random, 1, 120), resolve))
  const operator = comes.then(() => otherOperator(server, random, stop.signal))
  const outcomes = await runPlan(checks, pluginChecks, context)

  const ledger = openLedger(ledgerFile, (text) => text)
  const clean = {
    client: createPluginContext(settings, null).main.client,
    key: liveKey,
    isOwn: ownByRange(defaultLogins, before),
    ledger,
  }
  await restoreList({ ...clean, timeoutMs: 400 })
  stop.abort()
  const expected = await operator
  const { left } = await restoreList({ ...clean, timeoutMs: 10_000 })
  ledger.close()

  expect(left).toEqual([])
  const found = contents(server)
  const lost = expected.filter(({ follower }) => !found.some((rule) => rule.follower === follower))
  // Every missing or moved rule is mentioned in the ledger.
  const said = readLedger(ledgerFile)
  const unnamed = lost.filter((rule) => !said.lost.has(rule.follower))
  expect(unnamed.length, `seed ${seed}: ${JSON.stringify(unnamed)}`).toBeLessThanOrEqual(said.unlisted)
  const rest = expected.filter((rule) => !lost.includes(rule))
  expect(new Set(found), `seed ${seed}`).toEqual(new Set(rest))
  const inPlace = (rule: Content) => !said.moved.has(rule.follower)
  expect(found.filter(inPlace), `seed ${seed}`).toEqual(rest.filter(inPlace))
  expect(server.rules()).toHaveLength(found.length)
  expect(outcomes.filter(({ status }) => status === 'failed' || status === 'error')).toEqual([])
  return {
    stopped: outcomes.some(({ stop: cause }) => cause === 'interference'),
    wrote: server.methods.includes('DELETE'),
  }
}

test(`${rounds} rounds with another active operator: the run stops, and no foreign rule is moved or lost without being reported`, {
  timeout: 900_000,
}, async () => {
  console.info(`seed ${seed}`)
  for (let i = 0; i < rounds; i += 1) {
    const { stopped, wrote } = await round(seed + i)
    expect({ round: i, seed: seed + i, stopped, wrote }).toMatchObject({ stopped: true, wrote: true })
  }
})
