import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { resultsOf } from '../../cli/run/diagnose.ts'
import { searchFaults } from '../../cli/run/search.ts'
import { apis } from '../../cli/selftest/apis.ts'
import { perform, type SelfTestTask } from '../../cli/selftest/task.ts'
import { pluginApi } from '../../cli/target/plugin/api.ts'
import { programOrSkip } from '../../fixtures/programs.ts'
import ofC from '../../fixtures/servers/wrong-c/diagnosed.json' with { type: 'json' }
import ofGo from '../../fixtures/servers/wrong-go/diagnosed.json' with { type: 'json' }
import ofJava from '../../fixtures/servers/wrong-java/diagnosed.json' with { type: 'json' }
import ofPython from '../../fixtures/servers/wrong-python/diagnosed.json' with { type: 'json' }
import { isProof, someOf } from '../../fixtures/test-size.ts'
import { pluginCases } from '../../suites/checks/plugin/all.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { ownServerCapabilities } from '../../suites/session/check.ts'
import { judgeForeign } from '../judge-foreign.ts'
import { shellCommand, type WrongServer, wrongServers } from '../wrong-servers.ts'

/** How often the diagnosis is correct: `docs/verdicts.md` publishes these figures. `TCK_PROOF=1` tries all sets, otherwise one of one server. */

/** By fault, the equivalent defects. */
const labels: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ...{ 'wrong-c': ofC, 'wrong-go': ofGo, 'wrong-java': ofJava, 'wrong-python': ofPython },
}

const seed = 1
/** Two concurrent servers must not share the default port. */
const checks = pluginCases.filter((one) => !('requirement' in one) || one.requirement !== 'plugin.limits.default-port')
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** Random sets of 2, 3 and 5 labelled faults, five of each size. */
function setsOf({ name }: WrongServer): readonly (readonly string[])[] {
  return Array.from({ length: 5 }, (_, draw) => draw).flatMap((draw) =>
    [2, 3, 5].map((size) => {
      const key = (fault: string) => digest(`${fault} ${size} ${draw}`)
      return Object.keys(labels[name] ?? {})
        .toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
        .slice(0, size)
    }),
  )
}

/**
 * The re-enacted faults, within the processor time of two cores in ten seconds, if the catalogue did not have the
 * defects in `without`.
 */
async function diagnosed(outcomes: readonly Outcome[], without: ReadonlySet<string>) {
  const judged: Parameters<typeof resultsOf>[0] = {
    api: pluginApi,
    conditions: () => ({
      ...{ risk: 'exclusive', shared: false },
      capabilities: [...ownServerCapabilities, 'capacity', 'stated-capacity'],
    }),
  }
  const before = process.cpuUsage()
  const isLate = () => process.cpuUsage(before).user > 10_000_000
  const run = (task: SelfTestTask) => perform(task, apis)
  const results = { ...resultsOf(judged, outcomes, seed, run), isLate }
  const known = Object.fromEntries(Object.entries(results.known).filter(([defect]) => !without.has(defect)))
  const found = await searchFaults({ ...results, known })
  return { found: found?.faults ?? [], seconds: process.cpuUsage(before).user / 1_000_000 }
}

describe.for(someOf(wrongServers, 1))('the diagnosis of $name', (server) => {
  test.for(isProof ? setsOf(server) : setsOf(server).slice(0, 1))(
    'with %j states only what is there',
    { timeout: 900_000 },
    async (faults, { skip }) => {
      programOrSkip(server.language, skip)
      const outcomes = await judgeForeign(shellCommand(server, faults.join()), { checks, seed }, server.capacity)
      const sameAs = (fault: string) => new Set(labels[server.name]?.[fault])
      const same = new Set(faults.flatMap((fault) => [...sameAs(fault)]))
      const { found, seconds } = await diagnosed(outcomes, new Set())
      const named = found.map(({ defect, alternatives }) => [defect, ...alternatives])
      const isTrue = named.map((ids) => ids.some((id) => same.has(id)))
      const isConfirmed = found.map((fault) => fault.isConfirmed)
      const isFound = faults.map((fault) => named.some((ids) => ids.some((id) => sameAs(fault).has(id))))
      // What is stated of these faults if the catalogue does not have them.
      const outside = isProof ? (await diagnosed(outcomes, same)).found : []
      const falselyConfirmed = outside.flatMap((fault) => (fault.isConfirmed ? fault.defect : []))
      const figures = { faults, named, isTrue, isConfirmed, isFound, falselyConfirmed, seconds }
      console.info(JSON.stringify({ server: server.name, ...figures }))
      expect(isTrue.filter((one) => !one).length).toBeLessThanOrEqual(1)
      expect(named.filter((_ids, at) => isConfirmed[at] && !isTrue[at])).toEqual([])
      expect(falselyConfirmed).toEqual([])
    },
  )
})
