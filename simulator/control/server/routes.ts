import type { Control } from '../control.ts'
import { clockRoutes } from './clock-routes.ts'
import { streamEvents } from './events.ts'
import { type Route, rawRoute, route } from './route.ts'
import * as schemas from './schemas.ts'
import { givenParameters, shownFaults, shownParameters, shownRules, shownState } from './view.ts'

type Restart = { readonly how?: 'graceful' | 'crash' } & Parameters<Control['restart']>[0]

const defaultLimit = 100
const defaultWaitMs = 5_000

const pluginRoutes: readonly Route[] = [
  route('GET /state', schemas.nothing, shownState),
  route('GET /rules', schemas.nothing, (call) => ({ rules: shownRules(call), total: call.control.rules().length })),
  route('PUT /rules', schemas.rules, async ({ control, input }) => control.replaceRules(input.rules)),
  route('GET /parameters', schemas.nothing, ({ control }) => ({ parameters: shownParameters(control.parameters()) })),
  route('PUT /parameters', schemas.parameters, ({ control, input }) =>
    control.replaceParameters(givenParameters(input.parameters, control.parameters())),
  ),
  route('PUT /capacity', schemas.capacity, ({ control, input }) => control.setCapacity(input.capacity)),
  route('PUT /license', schemas.license, ({ control, input }) => control.setLicenseActive(input.active)),
  route('POST /restart', schemas.restart, ({ control, input }) => restart(control, input)),
  route('POST /crash', schemas.between, ({ control, input: { deleteRulesFile = false } }) =>
    control.crash({ deleteRulesFile }),
  ),
  route('POST /reset', schemas.nothing, ({ control }) => control.reset()),
]

const snapshotRoutes: readonly Route[] = [
  route('GET /snapshots', schemas.nothing, ({ control }) => ({ snapshots: [...control.snapshots()] })),
  route('PUT /snapshots/:name', schemas.nothing, ({ control, params }) => control.snapshot(params.name ?? '')),
  route('POST /snapshots/:name/restore', schemas.nothing, ({ control, params }) => control.restore(params.name ?? '')),
]

const faultRoutes: readonly Route[] = [
  route('GET /faults', schemas.nothing, (call) => ({ faults: shownFaults(call) })),
  route('POST /faults', schemas.fault, ({ control, input }) => ({ ...control.faults.add(input) })),
  route('PUT /faults', schemas.faults, ({ control, input }) => ({ faults: [...control.faults.replace(input.faults)] })),
  route('DELETE /faults', schemas.nothing, ({ control }) => control.faults.clear()),
  route('DELETE /faults/:id', schemas.nothing, ({ control, params }) => ({
    removed: control.faults.remove(params.id ?? ''),
  })),
]

const journalRoutes: readonly Route[] = [
  route('GET /journal', schemas.entries, ({ control, input: { limit = defaultLimit, ...filter } }) => {
    const found = control.journal.find(filter)
    return { total: found.length, entries: limit === 0 ? [] : found.slice(-limit) }
  }),
  route('GET /journal/count', schemas.counted, ({ control, input }) => ({
    count: control.journal.count(input),
  })),
  route('GET /journal/wait', schemas.wait, async ({ control, clientClosed: gone, input }) => {
    const { count, timeoutMs = defaultWaitMs, ...filter } = input
    return { entries: await control.journal.waitFor(count, filter, { timeoutMs, signal: gone }) }
  }),
  route('DELETE /journal', schemas.nothing, ({ control }) => control.journal.clear()),
  route('GET /client-report', schemas.nothing, ({ control }) => ({ ...control.clientReport() })),
  rawRoute('GET /events', schemas.nothing, async (call) => ({ stream: streamEvents(call) })),
]

/** All endpoints that need the token, except the metrics and the platform. */
export const routes: readonly Route[] = [
  ...pluginRoutes,
  ...snapshotRoutes,
  ...clockRoutes('/clock', ({ control }) => control.clock),
  ...faultRoutes,
  ...journalRoutes,
]

async function restart(control: Control, { how = 'graceful', ...between }: Restart): Promise<void> {
  const { parameters } = between
  if (how === 'crash') await control.crash()
  await control.restart(
    parameters === undefined ? between : { ...between, parameters: givenParameters(parameters, control.parameters()) },
  )
}
