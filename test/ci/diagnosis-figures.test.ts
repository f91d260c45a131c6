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
import { ownServerCapabilities } from '../../suites/session/check.ts'
import { judgeForeign } from '../judge-foreign.ts'
import { shellCommand, type WrongServer, wrongServers } from '../wrong-servers.ts'

/** How often the diagnosis is correct: `docs/verdicts.md` publishes these figures. `TCK_PROOF=1` tries all sets, otherwise one of each of two servers. */

/** By fault, the equivalent defects. */
const labels: Readonly<Record<string, Readonly<Record<string, { readonly same: readonly string[] }>>>> = {
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

/** The re-enacted faults of a server with these faults, within the processor time of two cores in ten seconds. */
async function diagnosed({ name, capacity }: WrongServer, faults: readonly string[]) {
  const server = wrongServers.find((one) => one.name === name)
  if (server === undefined) throw new Error(`there is no server ${name}`)
  const outcomes = await judgeForeign(shellCommand(server, faults.join()), { checks, seed }, capacity)
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
  const found = await searchFaults(resultsOf(judged, outcomes, { seed, run, isLate }))
  return { found, seconds: process.cpuUsage(before).user / 1_000_000 }
}

describe.for(someOf(wrongServers, 2))('the diagnosis of $name', (server) => {
  test.for(isProof ? setsOf(server) : setsOf(server).slice(0, 1))(
    'with %j states only what is there',
    { timeout: 900_000 },
    async (faults, { skip }) => {
      programOrSkip(server.language, skip)
      const { found, seconds } = await diagnosed(server, faults)
      const named = (found?.faults ?? []).map(({ defect, alternatives }) => [defect, ...alternatives])
      const isSame = (fault: string, ids: readonly string[]) =>
        ids.some((id) => labels[server.name]?.[fault]?.same.includes(id))
      const isTrue = named.map((ids) => faults.some((fault) => isSame(fault, ids)))
      const isFound = faults.map((fault) => named.some((ids) => isSame(fault, ids)))
      const isConfirmed = (found?.faults ?? []).map((fault) => fault.isConfirmed)
      console.info(JSON.stringify({ server: server.name, faults, named, isTrue, isConfirmed, isFound, seconds }))
      expect(isTrue.filter((one) => !one).length).toBeLessThanOrEqual(1)
      expect(named.filter((_ids, at) => isConfirmed[at] && !isTrue[at])).toEqual([])
    },
  )
})
