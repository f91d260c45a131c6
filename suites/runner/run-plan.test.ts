import { EventEmitter, once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import { failure } from '../assertions/expect.ts'
import { CannotArrange } from '../assertions/failure.ts'
import { directTransport } from '../client/transport.ts'
import { ServerFault } from '../safety/list-change-errors.ts'
import type { Check } from '../session/check.ts'
import { PortTaken } from '../targets/driver.ts'
import { type JudgedApi, judgedBy, type OwnContexts } from './define-api.ts'
import { followers, foreign, own, targetAt } from './judged.test-data.ts'
import { notRun, type Outcome } from './outcome.ts'
import { createPluginContext } from './plugin/create-context.ts'
import { createOwnContexts } from './plugin/own-context.ts'
import { unguardedSettings } from './plugin/settings.ts'
import { runPlan, runPlanned, runSideBySide } from './run-plan.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import { createShared } from './shared.ts'
import { initialState } from './state.ts'
import { createProgress } from './traffic.ts'

const key = 'a-key-for-tests'

/** A foreign server whose list a check has filled, and which ends before the next check. */
async function endedWhileFull() {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key } })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const target = {
    kind: 'url',
    transport: directTransport,
    url: simulator.url,
    key,
    server: null,
    capabilities: [],
    capacity: null,
  } as const
  const context = createPluginContext(unguardedSettings(target, 1), null)
  context.before = await context.main.rules.read()
  context.filler.push(context.draft())
  await simulator.stop()
  return context
}

const checkOf = (id: string): Check => ({
  id,
  requirement: 'r',
  title: 't',
  risk: 'read',
  run: async ({ plugin }) => void (await plugin.status()),
})

const planOf = (...ids: readonly string[]) => ids.map((id) => ({ id, outOfScope: null }))

test('a check before which the list cannot be cleaned up is not judged, and does not end the run', async () => {
  const context = await endedWhileFull()
  const [planned] = planOf('CT-1')
  if (planned === undefined) throw new Error('the plan is empty')
  expect(await runPlanned(planned, [judgedBy([checkOf('CT-1')], context)])).toMatchObject({
    check: 'CT-1',
    status: 'blocked',
    message: expect.stringMatching(/^the target stopped answering: /),
  })
})

test('the end of a run without a response is not an error of the kit', async () => {
  const context = await endedWhileFull()
  expect(await runPlan([], [], context)).toEqual([])
})

test('the checks after it are not judged either', async () => {
  const context = await endedWhileFull()
  const outcomes = await runPlan(planOf('CT-1', 'CT-2'), [checkOf('CT-1'), checkOf('CT-2')], context)
  expect(outcomes.map(({ check, status, stop }) => [check, status, stop])).toEqual([
    ['CT-1', 'blocked', 'unreachable'],
    ['CT-2', 'blocked', 'unreachable'],
  ])
})

/** A foreign server with rules of the kit that keep its list full. It rejects the first GET after a DELETE. */
async function limitedWhileFull() {
  let removed = false
  let limited = 0
  const { context, simulator } = await foreign({}, ({ method }, response) => {
    removed ||= method === 'DELETE'
    if (!removed || limited > 0 || method !== 'GET') return false
    limited += 1
    response.writeHead(429, { 'Content-Type': 'application/json' }).end('{"error":"too many requests"}')
    return true
  })
  context.before = await context.main.rules.read()
  const kept = [context.draft(), context.draft(), context.draft()]
  await context.main.rules.arrange(kept)
  context.filler.push(...kept)
  return { context, simulator }
}

test('a check is judged after one error response to the removal of the rules that kept the list full', async () => {
  const { context, simulator } = await limitedWhileFull()
  const add: Check = { ...checkOf('CT-1'), risk: 'write', run: async ({ rules }) => void (await rules.arrange(1)) }
  expect(await runPlan(planOf('CT-1'), [add], context)).toMatchObject([{ status: 'passed' }])
  // The clean-up after the check removes those rules too.
  expect(followers(simulator.rules)).toEqual([2001, 2002])
})

test('an error response at the end of a run is not an error of the kit', async () => {
  const { context } = await limitedWhileFull()
  expect(await runPlan([], [], context)).toEqual([])
})

const harm = new ServerFault(failure('list.other-removed', { expected: [], actual: [], difference: null }))

/** The checks with an outcome, if each chosen one finds that another rule was removed. CT-2 is about that requirement. */
async function reportedOf(
  chosen: readonly string[],
  atEnd: Partial<Pick<ServerUnderTest, 'release' | 'harm'>> = {},
): Promise<readonly string[]> {
  const context = {
    ...{ owned: false, state: initialState, harm: async () => harm, keeper: () => null },
    ...{ release: async () => undefined, seen: () => ({}), redact: String, ...atEnd },
  }
  const cases = [checkOf('CT-1'), { ...checkOf('CT-2'), requirement: harm.requirement }]
  const judge = async (check: string) => ({
    ...notRun(check, 'error', ''),
    status: 'failed',
    code: 'list.other-removed',
  })
  const api = { context, cases: new Map(cases.map((check) => [check.id, check])), judge, own: null }
  const reported: string[] = []
  await runSideBySide({
    ...{ plan: planOf(...chosen), apis: [api as unknown as JudgedApi], jobs: 1, checkTimeoutMs: 10_000 },
    progress: createProgress(),
    isAborted: () => false,
    report: (event) => event.kind === 'outcome' && reported.push(event.outcome.check),
  })
  return reported
}

test('harm to foreign rules is reported for its requirement, also if a check of another one failed in that way', async () => {
  expect(await reportedOf(['CT-1'])).toEqual(['CT-1', 'CT-2'])
  expect(await reportedOf(['CT-1', 'CT-2'])).toEqual(['CT-1', 'CT-2'])
})

test('a check for which no server of its own can be started is blocked, and later ones are judged', async () => {
  const { context, driver } = await own()
  const launching: Check[] = ['CT-1', 'CT-2'].map((id) => ({ ...checkOf(id), needs: ['launch'] }))
  const api = judgedBy(launching, context)
  const shared = createShared([context.settings])
  const contexts = createOwnContexts(context, driver, shared)
  const withContext: OwnContexts<JudgedApi>['withContext'] = (check, work) =>
    contexts.withContext(check, (one) => work(judgedBy(launching, one)))
  const discarded = vi.spyOn(driver, 'discard')
  vi.spyOn(driver, 'start').mockResolvedValueOnce(false)
  const outcomes: Outcome[] = []
  await runSideBySide({
    ...{ plan: planOf('CT-1', 'CT-2'), apis: [{ ...api, own: { ...contexts, withContext } }], jobs: 1 },
    ...{ checkTimeoutMs: 10_000, progress: shared.progress, isAborted: () => false },
    report: (event) => event.kind === 'outcome' && outcomes.push(event.outcome),
  })
  expect(outcomes).toMatchObject([
    { check: 'CT-1', status: 'blocked', message: expect.stringContaining('does not answer') },
    { check: 'CT-2', status: 'passed' },
  ])
  expect(discarded).toHaveBeenCalledTimes(2)
})

test('no check fails because another program took the port while the server of the kit was started again', async () => {
  const { context, driver } = await own()
  vi.spyOn(driver, 'start').mockRejectedValueOnce(new PortTaken('port 5000 is used by another program'))
  const removing: Check = {
    ...checkOf('CT-1'),
    risk: 'write',
    run: async ({ plugin }) => void (await plugin.remove(0)),
  }
  expect(await runPlan(planOf('CT-1', 'CT-2'), [removing, checkOf('CT-2')], context)).toMatchObject([
    { status: 'blocked', message: expect.stringContaining('port 5000 is used by another program: run again') },
    { status: 'passed' },
  ])
})

/** The outcomes of checks of a foreign server, each of which may be idle for 300 ms. */
async function judgedInTime(url: string, checks: readonly Check[]): Promise<readonly Outcome[]> {
  const settings = unguardedSettings(targetAt(url), 1)
  const shared = createShared([settings])
  const context = createPluginContext(settings, null, shared)
  const { progress } = shared
  const outcomes: Outcome[] = []
  await runSideBySide({
    ...{ plan: planOf(...checks.map(({ id }) => id)), apis: [judgedBy(checks, context)], jobs: 1 },
    ...{ checkTimeoutMs: 300, progress, isAborted: () => false },
    report: (event) => event.kind === 'outcome' && outcomes.push(event.outcome),
  })
  return outcomes
}

test('a check takes as long as it needs while responses arrive', async () => {
  const { url } = await foreign()
  const slow: Check = {
    ...checkOf('CT-1'),
    async run({ plugin }) {
      const start = performance.now()
      while (performance.now() - start < 500) await plugin.status()
    },
  }
  expect(await judgedInTime(url, [slow])).toMatchObject([{ status: 'passed' }])
})

test('a check that does not end sends nothing more, and nor does any other of the same server', async () => {
  let requests = 0
  const { url } = await foreign({}, () => {
    requests += 1
    return false
  })
  const events = new EventEmitter()
  const refused = once(events, 'refused')
  const stuck: Check = {
    ...checkOf('CT-1'),
    run: async ({ plugin }) => {
      await once(events, 'go on')
      await plugin.status().catch((error: unknown) => events.emit('refused', error))
    },
  }
  expect(await judgedInTime(url, [stuck, checkOf('CT-2')])).toMatchObject([
    { status: 'error', message: 'the check did not end: nothing was sent or received for 0.3 s' },
    { status: 'blocked', message: expect.stringContaining('no more requests are sent') },
  ])
  events.emit('go on')
  expect(await refused).toEqual([expect.any(CannotArrange)])
  expect(requests).toBe(0)
})

test('the outcomes of a run whose end cannot be cleaned up are reported', async () => {
  const release = () => Promise.reject(new Error('the server cannot be started'))
  expect(await reportedOf(['CT-1'], { release, harm: async () => null })).toEqual(['CT-1'])
})
