import { type Exchange, isRead } from '../../suites/client/exchange.ts'
import { holdsOnlyReads } from '../../suites/client/raw.ts'
import { apiWith } from '../../suites/runner/define-api.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { releaseAll, runPlanned } from '../../suites/runner/run-plan.ts'
import { type ApiSettings, createShared, type Shared } from '../../suites/runner/shared.ts'
import type { Driver } from '../../suites/targets/driver.ts'
import type { OpenApi, SimulatedApi } from './api.ts'

/**
 * Runs the plan against simulators in this process and counts the requests by method, the writes by check, including
 * its clean-up, and the starts of servers. Checks that fill the list share one fill, which is counted for the first.
 * Throws the reason of an abort.
 */
export async function dryRun(
  apis: readonly Pick<OpenApi, 'api' | 'simulate'>[],
  plan: readonly PlannedCheck[],
  signal?: AbortSignal,
) {
  const simulated: (SimulatedApi & Pick<OpenApi, 'api'>)[] = []
  try {
    for (const one of apis) simulated.push({ api: one.api, ...(await one.simulate()) })
    const own = simulated.find((one) => one.driver !== null)?.driver ?? null
    let starts = 0
    const driver: Driver | null = own && {
      ...own,
      start(id, wait) {
        starts += 1
        return own.start(id, wait)
      },
    }
    const { shared, requests, writes } = countingShared(simulated.map(({ settings }) => settings))
    const judged = simulated.map(({ api, settings }) => api.judged(settings, driver, shared))
    const run = async (planned: PlannedCheck) => {
      signal?.throwIfAborted()
      const { id, outOfScope } = planned
      const { title, fills = false } = apiWith(judged, id).check
      const before = writes()
      const { exchanges, exchangesOmitted: requestsOmitted } = await runPlanned(planned, judged)
      if (!fills) await releaseAll(judged)
      const sent = { writes: writes() - before, fills, requests: requestsIn(exchanges), requestsOmitted }
      return { id, title, outOfScope, ...sent }
    }
    const checks: Awaited<ReturnType<typeof run>>[] = []
    for (const planned of plan) checks.push(await run(planned))
    await releaseAll(judged)
    return { checks, requests, writes: writes(), starts }
  } finally {
    for (const one of simulated) await one.stop()
  }
}

/** Counts every request, since the outcome of a long check has only some of them. */
function countingShared(settings: readonly ApiSettings[]) {
  const shared = createShared(settings)
  const requests: Record<string, number> = {}
  let writes = 0
  let before: Exchange | undefined
  const record: Shared['recorder']['record'] = (given) => {
    const exchange = shared.recorder.record(given)
    const { method, body } = exchange.request
    if (!isOfSameBytes(exchange, before)) {
      requests[method] = (requests[method] ?? 0) + 1
      if (method === 'RAW' ? !holdsOnlyReads(body ?? '') : !isRead(method)) writes += 1
    }
    before = exchange
    return exchange
  }
  return { shared: { ...shared, recorder: { ...shared.recorder, record } }, requests, writes: () => writes }
}

/** The requests of the exchanges. Raw bytes are one request even if they got several responses. */
function requestsIn(exchanges: readonly Exchange[]): readonly Exchange['request'][] {
  return exchanges
    .filter((exchange, at) => !isOfSameBytes(exchange, exchanges[at - 1]))
    .map((exchange) => exchange.request)
}

/** Whether an exchange is a further response to the same raw bytes. */
function isOfSameBytes({ startedAt, request }: Exchange, before: Exchange | undefined): boolean {
  return request.method === 'RAW' && before?.startedAt === startedAt && before.request.body === request.body
}
