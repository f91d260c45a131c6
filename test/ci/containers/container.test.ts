import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getContainerRuntimeClient } from 'testcontainers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isProof } from '../../../fixtures/test-size.ts'
import {
  ControlRequestError,
  CopyTradePluginContainer,
  type StartedCopyTradePluginContainer,
} from '../../../simulator/embed/testcontainers.ts'
import { createSimulator, memoryRulesFile } from '../../../simulator/index.ts'
import { decodeRules } from '../../../simulator/plugin/store/file-format.ts'
import { command, emptyFolder } from '../../command.ts'
import { given, type ScenarioEnvironment, sendTo } from '../../scenarios/environment.ts'
import { scenarios } from '../../scenarios/scenarios.ts'
import { type BuiltImage, buildImage, noEngineReason } from './engine.ts'

// Its helper container would have to be pulled. Everything started here is stopped here.
process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'

/** A run of all checks takes half a minute. */
const some = ['plugin.delete.keeps-order', 'plugin.capacity.*', 'plugin.errors.*', 'plugin.list.*']
const chosen = isProof ? [] : some.flatMap((glob) => ['--only', glob])

const rulesFile = '/data/ServiceCopyTrade_rules.dat'
const reason = noEngineReason()

if (reason !== null) {
  test('containers', ({ skip }) => {
    if (process.env.CI === 'true') throw new Error(`${reason}; with CI=true they must be`)
    process.stderr.write(`${reason}\n`)
    skip(reason)
  })
}

describe.runIf(reason === null)('the container', () => {
  let image: BuiltImage
  let shared: StartedCopyTradePluginContainer
  let place: ScenarioEnvironment & { readonly reset: () => Promise<void> }

  beforeAll(async () => {
    image = await buildImage()
    shared = await prepared().start()
    place = placeOf(shared)
  }, 240_000)
  afterAll(async () => {
    await shared?.stop()
    await image?.[Symbol.asyncDispose]()
  })

  const prepared = (container = new CopyTradePluginContainer(image.name)) =>
    container.withParameters(given.parameters).withCapacity(given.capacity)

  async function started(container: CopyTradePluginContainer): Promise<StartedCopyTradePluginContainer> {
    const running = await container.start()
    onTestFinished(async () => void (await running.stop()))
    return running
  }

  describe('passes the same scenarios', () => {
    for (const { name, run } of scenarios) {
      test(name, async () => {
        await place.reset()
        await run(place)
      })
    }
  })

  test('no acknowledged rule is lost when the container is killed', async () => {
    await place.reset()
    const body = JSON.stringify({ master: 1, follower: 77, mode: 'fixed', value: 0.01, direction: 'reverse' })
    expect((await place.send('POST', '/api/rules', { body })).status).toBe(201)
    await shared.crash()
    await shared.restart()
    const { body: list } = await place.send('GET', '/api/rules')
    expect(list).toMatchObject({ total: 4, rules: [{}, {}, {}, { index: 3, follower: 77 }] })
    await place.restart({ deleteRulesFile: true })
  })

  test('snapshots are restored, and impossible requests are rejected with the reason', async () => {
    await place.reset()
    await shared.snapshot('before')
    await shared.replaceRules([{ master: 2n ** 60n, follower: 2, mode: 'mult', value: 1, direction: 'same' }])
    expect((await place.send('GET', '/api/rules')).body).toMatchObject({ total: 1 })
    await shared.restore('before')
    expect((await place.send('GET', '/api/rules')).body).toMatchObject({ total: 3 })
    await expect(shared.restore('never')).rejects.toThrow(ControlRequestError)
  })

  test('it does not run as root, and is healthy', async () => {
    expect((await shared.exec(['id', '-u'])).output.trim()).toBe('1000')
    expect((await shared.exec(['node', 'dist/cli/simulate/health.js'])).exitCode).toBe(0)
    expect((await shared.exec(['node', 'dist/cli/simulate/health.js'], { env: { TCK_PORT: '9' } })).exitCode).toBe(1)
  })

  test('its root file system may be read-only', async () => {
    class ReadOnly extends CopyTradePluginContainer {
      constructor(name: string) {
        super(name)
        this.hostConfig.ReadonlyRootfs = true
      }
    }
    const container = await started(prepared(new ReadOnly(image.name)))
    const send = sendTo(() => container.getBaseUrl())
    expect((await send('DELETE', '/api/rules/0')).status).toBe(200)
    expect((await container.exec(['touch', '/app/x'])).exitCode).not.toBe(0)
    await container.restart()
    expect((await send('GET', '/api/rules')).body).toMatchObject({ total: 2 })
  })

  test('SIGTERM stops it gracefully', async () => {
    const container = await started(prepared())
    const { container: engine } = await getContainerRuntimeClient()
    await engine.getById(container.getId()).stop({ t: 10 })
    expect((await engine.getById(container.getId()).inspect()).State.ExitCode).toBe(0)
  })

  test('on a full disk a rule gets 500 and the list is unchanged, and with free space it is saved', async () => {
    const container = await started(
      new CopyTradePluginContainer(image.name)
        .withApiKey(given.parameters.API_Key)
        .withTmpFs({ '/data': 'rw,size=64k,uid=1000' }),
    )
    const send = sendTo(() => container.getBaseUrl())
    const body = JSON.stringify({ master: 1, follower: 2, mode: 'mult', value: 1, direction: 'same' })
    let added = 0
    let status = 201
    while (added < 1_000) {
      status = (await send('POST', '/api/rules', { body })).status
      if (status !== 201) break
      added += 1
      if (added === 10) await container.exec(['dd', 'if=/dev/zero', 'of=/data/other', 'bs=1k'])
    }
    expect(status).toBe(500)
    expect(added).toBeGreaterThanOrEqual(10)
    expect((await send('GET', '/api/rules')).body).toMatchObject({ total: added })
    expect(decodeRules(Buffer.from((await container.exec(['cat', rulesFile])).output))).toHaveLength(added)
    await container.exec(['rm', '/data/other'])
    expect((await send('POST', '/api/rules', { body })).status).toBe(201)
    expect(decodeRules(Buffer.from((await container.exec(['cat', rulesFile])).output))).toHaveLength(added + 1)
  })

  test('profile, defect and rules file are as requested', async () => {
    const file = memoryRulesFile()
    const writer = createSimulator({ port: 0, rulesFile: file, ...given })
    await writer.start()
    await writer.control.replaceRules([1, 2, 3, 4].map((follower) => ({ ...rule, follower })))
    await writer.stop()
    const container = await started(
      new CopyTradePluginContainer(image.name)
        .withApiKey(given.parameters.API_Key)
        .withCopyRule(1, '1001>2001,mult,1,same')
        .withProfile({ 'plugin.index.base': '1' })
        .withDefect('delete.moves-last-into-gap')
        .withRulesFile(Buffer.from((await file.read()) ?? [])),
    )
    const send = sendTo(() => container.getBaseUrl())
    await send('DELETE', '/api/rules/2')
    const { rules } = (await send('GET', '/api/rules')).body as { rules: { index: number; follower: number }[] }
    expect(rules.map(({ index, follower }) => [index, follower])).toEqual([
      [1, 1],
      [2, 4],
      [3, 3],
    ])
  })

  test('with an empty key the API is disabled', async () => {
    const container = await started(new CopyTradePluginContainer(image.name).withApiKey(''))
    await expect(fetch(`${container.getBaseUrl()}/api/status`)).rejects.toThrow()
  })

  test('the kit judges it like any other server', async () => {
    const folder = emptyFolder()
    const container = await started(prepared().withCapacity(12))
    const args = ['run', '--target', container.getBaseUrl(), '--risk', 'exclusive', '--capacity', '12', '--strict']
    const { code, stdout } = await command([...args, '--out', 'here', ...chosen], {
      cwd: folder,
      env: { TCK_API_KEY: given.parameters.API_Key },
    })
    expect(stdout).toContain('(0 of 3 rules changed)')
    expect(code).toBe(0)
    const report = readFileSync(join(folder, 'here', 'report.json'), 'utf8')
    expect(JSON.parse(report)).toMatchObject({ verdict: 'partial', harm: { restored: true } })
  })
})

const rule = { master: 1, follower: 2, mode: 'mult', value: 1, direction: 'same' } as const

/** A container as a place for the scenarios; `reset` restores the first rules. */
function placeOf(
  container: StartedCopyTradePluginContainer,
): ScenarioEnvironment & { readonly reset: () => Promise<void> } {
  let restarted = false
  const deleteRulesFile = () => container.exec(['rm', '-f', rulesFile])
  return {
    send: sendTo(() => container.getBaseUrl()),
    restart: async (between) => {
      restarted = true
      if (between?.deleteRulesFile) await deleteRulesFile()
      await container.restart()
    },
    addFault: async (fault) => void (await container.addFault(fault)),
    reset: async () => {
      if (!restarted) return container.reset()
      restarted = false
      await deleteRulesFile()
      await container.restart()
    },
  }
}
