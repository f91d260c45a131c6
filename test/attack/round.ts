import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createHostileClient } from '../../fixtures/clients/hostile.ts'
import {
  type Held,
  type List,
  type SerialisingProxy,
  startSerialisingProxy,
  type Verdict,
} from '../../fixtures/proxies/serialising.ts'
import { rightKey } from '../../fixtures/servers/child.ts'
import { claimsOf, type EndedCommandRun } from './claims.ts'
import { type Hooks, startHooks } from './hooks.ts'
import { createKit, type Kit } from './kit.ts'
import { type ActualChanges, actualChanges } from './oracle.ts'
import { createRandom } from './random.ts'
import { createRandomEdits } from './random-edits.ts'
import type { Scenario, TestEnvironment } from './scenario.ts'
import { serverOf } from './server.ts'
import { type JudgedRound, judgeRound } from './verdict.ts'

export interface RoundResult extends JudgedRound {
  readonly actual: ActualChanges
  readonly ended: readonly EndedCommandRun[]
  readonly passed: SerialisingProxy['passed']
  readonly first: List
  readonly last: List
  /** Whether every step of the scenario was reached. */
  readonly complete: boolean
}

/** One run of the kit on a new server, with the other client of the scenario. Everything follows from the seed. */
export async function runRound(scenario: Scenario, seed: number): Promise<RoundResult> {
  const random = createRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'attack-'))
  const kit = createKit(folder, rightKey)
  const server = serverOf(scenario)
  await server.start()
  const stage = createStage(scenario, random, kit)
  const proxy = await startSerialisingProxy({
    upstreamPort: () => server.port,
    key: rightKey,
    onRequest: (held) => stage.onRequest(held),
  })
  const hooks = scenario.hooks ? await startHooks(server, folder) : noHooks
  try {
    const first = await proxy.list()
    stage.begin(proxy, first?.[0]?.index ?? 0)
    const target = `http://127.0.0.1:${proxy.port}`
    const ended = [await kit.run([...scenario.args, ...hooks.args, '--target', target, '--seed', String(seed)])]
    await stage.end()
    if (ended[0]?.code === null || ended[0]?.code === 5) {
      stage.command = 'restore'
      const restored = await kit.restore()
      if (restored !== null) ended.push(restored)
      // It leaves a rule of the kit rather than hit another one. Then its advice must be enough.
      if (restored?.output.includes('Stop the other clients, then run it again')) {
        stage.command = 'restore without edits'
        const again = await kit.restore()
        if (again !== null) ended.push(again)
      }
    }
    const last = await proxy.list()
    const actual = actualChanges({ first, passed: proxy.passed, last })
    const claims = claimsOf(ended)
    const contested = proxy.passed.some(({ by }) => by === 'other')
    const judged = judgeRound({ actual, claims, conforming: scenario.faults.length === 0, contested })
    return { ...judged, actual, ended, passed: proxy.passed, first, last, complete: stage.complete }
  } finally {
    hooks.close()
    await proxy.close()
    await server.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

const noHooks: Hooks = { args: [], close: () => undefined }

/** Plays the scenario: runs the steps of the other client at their moments. */
function createStage(scenario: Scenario, random: TestEnvironment['random'], kit: Kit) {
  let proxy: SerialisingProxy | null = null
  let base = 0
  const send: SerialisingProxy['send'] = async (...request) => (await proxy?.send(...request)) ?? null
  const insertsAt = scenario.server === 'end' || scenario.server === 'threaded' ? 'end' : 'start'
  const other = createHostileClient({ send, base: () => base }, insertsAt)
  const edits = scenario.random === null ? null : createRandomEdits(scenario.random, other, random)
  const stop = new AbortController()
  let clock: Promise<void> = Promise.resolve()
  let next = 0
  let seen = 0
  let wanted = drawn()

  function drawn(): number {
    const [from, to] = scenario.steps[next]?.nth ?? [1, 1]
    return random(from, to)
  }

  async function onStep({ phase, method, path, list }: Held): Promise<Verdict> {
    const step = scenario.steps[next]
    if (step === undefined || method !== step.method || phase !== step.phase) return 'pass'
    if ((step.command ?? 'run') !== stage.command) return 'pass'
    seen += 1
    if (seen < wanted) return 'pass'
    next += 1
    seen = 0
    wanted = drawn()
    const index = method === 'DELETE' ? Number(path.split('/').at(-1)) : Number.NaN
    const position = Number.isInteger(index) ? index - base : -1
    return (await step.act({ other, position, list, random, signal: kit.signal })) ?? 'pass'
  }

  const stage = {
    command: 'run' as 'run' | 'restore' | 'restore without edits',
    get complete() {
      return next === scenario.steps.length
    },
    async onRequest(held: Held): Promise<Verdict> {
      if (proxy === null) return 'pass'
      const isEdited = stage.command === 'run' || (stage.command === 'restore' && scenario.random?.inRestore)
      if (isEdited) await edits?.onRequest(await proxy.list())
      return onStep(held)
    },
    begin(started: SerialisingProxy, firstIndex: number) {
      proxy = started
      base = firstIndex
      const everyMs = scenario.random?.everyMs ?? null
      if (everyMs !== null) clock = editByClock(everyMs)
    },
    async end() {
      stop.abort()
      await clock
    },
  }

  async function editByClock([from, to]: readonly [number, number]): Promise<void> {
    while (!stop.signal.aborted) {
      await delay(random(from, to), undefined, { signal: stop.signal }).catch(() => undefined)
      await proxy?.inTurn(async () => edits?.edit((await proxy?.list()) ?? []))
    }
  }
  return stage
}
