import { beforeEach, describe, expect, test } from 'vitest'
import { programOrSkip } from '../../fixtures/programs.ts'
import { isProof, seed, someOf } from '../../fixtures/test-size.ts'
import { pluginRequirements } from '../../spec/plugin/requirements.ts'
import { pluginChecks } from '../../suites/checks/plugin/all.ts'
import { judgeForeign } from '../judge-foreign.ts'
import { faultsOf, shellCommand, type WrongServer, wrongServers } from '../wrong-servers.ts'

/** Two concurrent servers must not share the default port. */
const checks = pluginChecks.filter(({ requirement }) => requirement !== 'plugin.limits.default-port')
const required = new Set(pluginRequirements.filter(({ level }) => level === 'required').map(({ id }) => id as string))
const judging = new Set(checks.filter(({ requirement }) => required.has(requirement)).map(({ id }) => id as string))
const wholeRunMs = 600_000
/** The seed of the recorded checks: it decides what some of them send and find. */
const recordedSeed = 1

async function statuses(server: WrongServer, fault: string, only: readonly string[]) {
  const outcomes = await judgeForeign(
    shellCommand(server, fault),
    { checks, only, seed: recordedSeed },
    server.capacity,
  )
  return outcomes.map(({ check, status }) => `${check} ${status}`)
}

/** The checks that fail and make the verdict non-conformant: those of required requirements, or all of them. */
async function failing(server: WrongServer, fault: string, only: readonly string[]): Promise<readonly string[]> {
  const found = await statuses(server, fault, only)
  const counting = checks.filter(({ id }) => server.strict || judging.has(id)).map(({ id }) => id)
  return counting.filter((id) => found.includes(`${id} failed`))
}

describe.each(wrongServers)(`$name (TCK_SEED=${seed})`, (server) => {
  const { caught, language } = server
  const recorded = Object.keys(caught)
  const noticed = recorded.filter((fault) => caught[fault]?.length !== 0)

  beforeEach(({ skip }) => {
    programOrSkip(language, skip)
  })

  test('has every fault for which checks are recorded', () => {
    expect(faultsOf(server)).toEqual(expect.arrayContaining(recorded))
  })

  describe.skipIf(isProof)('in the short form', () => {
    const chosen = someOf(noticed, 4)

    test.concurrent.for(chosen)('with the fault %s fails a check that is recorded for it', async (fault) => {
      expect(await failing(server, fault, caught[fault] ?? [])).not.toEqual([])
    })

    test('without a fault passes the same checks', async () => {
      const only = [...new Set(chosen.flatMap((fault) => caught[fault] ?? []))]
      const found = await statuses(server, '', only)
      expect(found.toSorted()).toEqual(only.map((id) => `${id} passed`).toSorted())
    })
  })

  describe.runIf(isProof)('in the full form', () => {
    test('without a fault fails no check', { timeout: wholeRunMs }, async () => {
      expect(await failing(server, '', [])).toEqual([])
    })

    test.for(isProof ? faultsOf(server) : [])(
      'with the fault %s is non-conformant, unless it is recorded as undetected',
      { timeout: wholeRunMs },
      async (fault) => {
        const failed = await failing(server, fault, server.slow.includes(fault) ? (caught[fault] ?? []) : [])
        process.stdout.write(`${JSON.stringify({ server: server.name, fault, failed })}\n`)
        expect(failed.length > 0).toBe(!recorded.includes(fault) || noticed.includes(fault))
      },
    )
  })
})
