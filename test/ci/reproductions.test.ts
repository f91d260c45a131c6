import { describe, expect, test } from 'vitest'
import { programOrSkip } from '../../fixtures/programs.ts'
import { createChild, rightKey } from '../../fixtures/servers/child.ts'
import { runShellScript } from '../../fixtures/shell-script.ts'
import { isProof, seed, someOf } from '../../fixtures/test-size.ts'
import { pluginChecks } from '../../suites/checks/plugin/all.ts'
import { canShowFailure } from '../../suites/runner/outcome.ts'
import { judgeForeign } from '../judge-foreign.ts'
import { shellCommand, type WrongServer, wrongServers } from '../wrong-servers.ts'

/** The seed of the recorded checks. */
const recordedSeed = 1

type Rules = Readonly<Record<string, string>>
/** The parameters with which `judgeForeign` starts a server. */
const foreignRules = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2001,fixed,0.01,reverse' }
const differentRules = { Copy_1: '7>8,mult,1.0,same', Copy_2: '9>8,mult,1.0,same', Copy_3: '10>8,mult,1.0,same' }

/** Scripts that can judge neither server: the list itself, which they read first, is out of date. */
const unreliable = ['list-cached-by-length CT-981']

/** Exit code and output of a script, run against a new server. */
async function runScript(script: string, { name }: WrongServer, FAULTS: string, parameters: Rules) {
  const child = createChild({ server: name, parameters, environment: { FAULTS, PATH: process.env.PATH ?? '' } })
  try {
    await child.start()
    return await runShellScript(script, `http://127.0.0.1:${child.port}`, rightKey)
  } finally {
    await child.dispose()
  }
}

async function expectTrue(script: string, server: WrongServer, fault: string): Promise<void> {
  if (!canShowFailure(script)) {
    const { code, printed } = await runScript(script, server, fault, {})
    expect({ code, printed }).toEqual({
      code: 2,
      printed: expect.stringMatching(/^Requests alone .+ with (?:all checks and --seed|--only CT-)/),
    })
    return
  }
  const rules = script.includes(`not"' empty'`) ? {} : foreignRules
  expect(await runScript(script, server, fault, rules)).toMatchObject({ code: 1 })
  expect(await runScript(script, server, '', rules)).toMatchObject({ code: 0 })
  const needsList = !script.includes('a list that can be read')
  expect(await runScript(script, server, fault, differentRules)).toMatchObject({ code: needsList ? 2 : 1 })
}

describe.for(wrongServers)(`the scripts of $name (TCK_SEED=${seed})`, (server) => {
  const noticed = Object.keys(server.caught).filter((fault) => server.caught[fault]?.length !== 0)

  test.for(someOf(noticed, 4))('show the fault %s, and only with it', { timeout: 300_000 }, async (fault, { skip }) => {
    programOrSkip(server.language, skip)
    const chosen = { checks: pluginChecks, only: server.caught[fault] ?? [], seed: recordedSeed }
    const outcomes = await judgeForeign(shellCommand(server, fault), chosen, server.capacity)
    const failed = outcomes.filter(({ status }) => status === 'failed')
    // Some faults show only if packets arrive separately.
    skip(failed.length === 0, 'The fault was not noticed this time.')
    for (const { check, script = '' } of failed) {
      if (isProof) console.info(JSON.stringify({ server: server.name, fault, check, canShow: canShowFailure(script) }))
      if (!unreliable.includes(`${fault} ${check}`)) await expectTrue(script, server, fault)
    }
  })
})
