import { z } from 'zod'
import type { RuleInput } from '../../plugin/model/rule-input.ts'
import type { Clock } from '../../server/clock.ts'
import { count, faultSchema } from '../faults/fault.ts'
import { streamEvents } from './events.ts'
import { type Route, rawRoute, route, type ServedApis, type ServedPlatform } from './route.ts'
import {
  givenParameters,
  shownAccounts,
  shownClock,
  shownFaults,
  shownParameters,
  shownRules,
  shownState,
} from './view.ts'

/** `replaceRules` checks the members. */
const rule = z.custom<RuleInput>((value) => typeof value === 'object' && value !== null, 'expected a rule')
const parameters = z.record(z.string(), z.string())
const deleteRulesFile = z.boolean().exactOptional()
const how = z.enum(['graceful', 'crash']).exactOptional()
const date = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const moment = { at: date.exactOptional() }

const pluginRoutes: readonly Route[] = [
  route('GET /state', {}, shownState),
  route('GET /rules', {}, (call) => ({ rules: shownRules(call), total: call.control.rules().length })),
  route('PUT /rules', { rules: z.array(rule) }, ({ control, input }) => control.replaceRules(input.rules)),
  route('GET /parameters', {}, ({ control }) => ({ parameters: shownParameters(control.parameters()) })),
  route('PUT /parameters', { parameters }, ({ control, input }) =>
    control.replaceParameters(givenParameters(input.parameters, control.parameters())),
  ),
  route('PUT /capacity', { capacity: count }, ({ control, input }) => control.setCapacity(input.capacity)),
  route('PUT /license', { active: z.boolean() }, ({ control, input }) => control.setLicenseActive(input.active)),
  route(
    'POST /restart',
    { how, deleteRulesFile, parameters: parameters.exactOptional() },
    async ({ control, input: { how, parameters: given, ...between } }) => {
      if (how === 'crash') await control.crash()
      await control.restart({
        ...between,
        ...(given !== undefined && { parameters: givenParameters(given, control.parameters()) }),
      })
    },
  ),
  route('POST /crash', { deleteRulesFile }, ({ control, input }) => control.crash(input)),
  route('POST /reset', {}, ({ control }) => control.reset()),
  route('GET /snapshots', {}, ({ control }) => ({ snapshots: [...control.snapshots()] })),
  route('PUT /snapshots/:name', {}, ({ control, params }) => control.snapshot(params.name ?? '')),
  route('POST /snapshots/:name/restore', {}, ({ control, params }) => control.restore(params.name ?? '')),
]

/** The endpoints of a clock. Each responds with the time after the change. */
function clockRoutes(path: '/clock' | '/platform/clock', clockOf: (served: ServedApis) => Clock): readonly Route[] {
  return [
    route(`GET ${path}`, {}, (call) => shownClock(clockOf(call))),
    route(`POST ${path}/freeze`, moment, (call) => {
      clockOf(call).freeze(call.input.at)
      return shownClock(clockOf(call))
    }),
    route(`POST ${path}/advance`, { ms: z.int() }, (call) => {
      clockOf(call).advance(call.input.ms)
      return shownClock(clockOf(call))
    }),
    route(`POST ${path}/reset`, {}, (call) => {
      clockOf(call).reset()
      return shownClock(clockOf(call))
    }),
  ]
}

const faultRoutes: readonly Route[] = [
  route('GET /faults', {}, (call) => ({ faults: shownFaults(call) })),
  route('POST /faults', faultSchema.shape, ({ control, input }) => ({ ...control.faults.add(input) })),
  route('PUT /faults', { faults: z.array(faultSchema) }, ({ control, input }) => ({
    faults: [...control.faults.replace(input.faults)],
  })),
  route('DELETE /faults', {}, ({ control }) => control.faults.clear()),
  route('DELETE /faults/:id', {}, ({ control, params }) => ({ removed: control.faults.remove(params.id ?? '') })),
]

const whole = z
  .string()
  .regex(/^\d{1,9}$/, 'expected a whole number')
  .transform(Number)

const filter = {
  method: z.string().exactOptional(),
  path: z.string().exactOptional(),
  status: z
    .string()
    .regex(/^(\d{3}|none)$/, 'expected a status such as 404, or none')
    .transform((text) => (text === 'none' ? null : Number(text)))
    .exactOptional(),
  operation: z.string().exactOptional(),
  because: z.string().exactOptional(),
  fault: z.string().exactOptional(),
  after: whole.exactOptional(),
}

const journalRoutes: readonly Route[] = [
  route('GET /journal', { ...filter, limit: whole.exactOptional() }, ({ control, input }) => {
    const { limit = 100, ...wanted } = input
    const found = control.journal.find(wanted)
    return { total: found.length, entries: limit === 0 ? [] : found.slice(-limit) }
  }),
  route('GET /journal/count', filter, ({ control, input }) => ({ count: control.journal.count(input) })),
  route(
    'GET /journal/wait',
    { ...filter, count: whole, timeoutMs: whole.exactOptional() },
    async ({ control, clientClosed: signal, input: { count, timeoutMs = 5_000, ...wanted } }) => ({
      entries: await control.journal.waitFor(count, wanted, { timeoutMs, signal }),
    }),
  ),
  route('DELETE /journal', {}, ({ control }) => control.journal.clear()),
  route('GET /client-report', {}, ({ control }) => ({ ...control.clientReport() })),
  rawRoute('GET /events', {}, async (call) => ({ stream: streamEvents(call) })),
]

/** All endpoints that need the token, except the metrics and the platform. */
export const routes: readonly Route[] = [
  ...pluginRoutes,
  ...clockRoutes('/clock', ({ control }) => control.clock),
  ...faultRoutes,
  ...journalRoutes,
]

/** The endpoints of a platform that is served next to the plugin. */
export function platformRoutes({ platform }: ServedPlatform): readonly Route[] {
  const { keys, clock } = platform
  const newKey = {
    name: z.string().exactOptional(),
    expiresAt: date.exactOptional(),
    live: z.boolean().exactOptional(),
  }
  return [
    route('GET /platform/accounts', {}, () => shownAccounts(platform)),
    route('GET /platform/keys', {}, async () => ({ keys: await keys.list() })),
    route('POST /platform/keys', newKey, ({ input }) => keys.create(input)),
    route('POST /platform/keys/:id/revoke', {}, ({ params }) => keys.revoke(params.id ?? '')),
    route('POST /platform/keys/:id/expire', moment, ({ params, input }) => keys.expire(params.id ?? '', input.at)),
    ...clockRoutes('/platform/clock', () => clock),
    route('POST /platform/restart', { how }, async ({ input }) => {
      if (input.how === 'crash') await platform.crash()
      await platform.restart()
    }),
    route('POST /platform/crash', {}, () => platform.crash()),
    route('POST /platform/reset', {}, () => platform.reset()),
  ]
}
