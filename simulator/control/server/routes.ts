import { z } from 'zod'
import type { PlatformSimulator } from '../../platform/index.ts'
import type { RuleInput } from '../../plugin/model/rule-input.ts'
import type { Clock } from '../../server/clock.ts'
import type { LogEntry } from '../../server/log.ts'
import type { Control } from '../control.ts'
import { count, givenFaultSchema } from '../faults/fault.ts'
import { streamEvents } from './events.ts'
import { type Route, route } from './route.ts'
import {
  givenParameters,
  type ServedApis,
  shownAccounts,
  shownClock,
  shownParameters,
  shownRules,
  shownState,
} from './view.ts'

/** Accepts a listed rule too. `replaceRules` checks the other members. */
const rule = z
  .custom<RuleInput & { index?: unknown }>((value) => typeof value === 'object' && value !== null, 'expected a rule')
  // An integer above 2^53 is read as a bigint, for logins.
  .transform(({ index: _index, ...one }) =>
    typeof one.value === 'bigint' ? { ...one, value: Number(one.value) } : one,
  )
const parameters = z.record(z.string(), z.string())
const deleteRulesFile = z.boolean().exactOptional()
const how = z.enum(['graceful', 'crash']).exactOptional()
const date = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const moment = { at: date.exactOptional() }

function pluginRoutes(served: ServedApis): readonly Route[] {
  const { control } = served
  const restarting = { how, deleteRulesFile, parameters: parameters.exactOptional() }
  return [
    route('GET /state', {}, () => shownState(served)),
    route('GET /rules', {}, () => ({ rules: shownRules(control), total: control.rules().length })),
    route('PUT /rules', { rules: z.array(rule), total: count.exactOptional() }, ({ rules }) =>
      control.replaceRules(rules),
    ),
    route('GET /parameters', {}, () => ({ parameters: shownParameters(control.parameters()) })),
    route('PUT /parameters', { parameters }, (input) =>
      control.replaceParameters(givenParameters(input.parameters, control.parameters())),
    ),
    route('PUT /capacity', { capacity: count }, ({ capacity }) => control.setCapacity(capacity)),
    route('PUT /license', { active: z.boolean() }, ({ active }) => control.setLicenseActive(active)),
    route('POST /restart', restarting, async ({ how, parameters: given, ...between }) => {
      if (given !== undefined) control.replaceParameters(givenParameters(given, control.parameters()))
      if (how === 'crash') await control.crash()
      await control.restart(between)
    }),
    route('POST /crash', { deleteRulesFile }, control.crash),
    route('POST /reset', {}, control.reset),
    route('GET /snapshots', {}, () => ({ snapshots: [...control.snapshots()] })),
    route('PUT /snapshots/:name', {}, (_, { params }) => control.snapshot(params.name ?? '')),
    route('POST /snapshots/:name/restore', {}, (_, { params }) => control.restore(params.name ?? '')),
  ]
}

/** The endpoints of a clock. Each responds with the time after the change. */
function clockRoutes(path: '/clock' | '/platform/clock', clock: Clock): readonly Route[] {
  const changed = (change: () => void) => {
    change()
    return shownClock(clock)
  }
  return [
    route(`GET ${path}`, {}, () => shownClock(clock)),
    route(`POST ${path}/freeze`, moment, ({ at }) => changed(() => clock.freeze(at))),
    route(`POST ${path}/advance`, { ms: z.int() }, ({ ms }) => changed(() => clock.advance(ms))),
    route(`POST ${path}/reset`, {}, () => changed(clock.reset)),
  ]
}

function faultRoutes({ faults }: Control): readonly Route[] {
  return [
    route('GET /faults', {}, () => ({ faults: faults.list() })),
    route('POST /faults', givenFaultSchema.shape, (fault) => ({ ...faults.add(fault) })),
    route('PUT /faults', { faults: z.array(givenFaultSchema) }, (input) => ({ faults: faults.replace(input.faults) })),
    route('DELETE /faults', {}, () => faults.clear()),
    route('DELETE /faults/:id', {}, (_, { params }) => ({ removed: faults.remove(params.id ?? '') })),
  ]
}

const notWhole = 'expected a whole number of at most nine digits'
const whole = z
  .string(notWhole)
  .regex(/^\d{1,9}$/, notWhole)
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

function journalRoutes({ journal, clientReport }: Control): readonly Route[] {
  const waiting = { ...filter, count: whole, timeoutMs: whole.exactOptional() }
  return [
    route('GET /journal', { ...filter, limit: whole.exactOptional() }, ({ limit = 100, ...wanted }) => {
      const found = journal.find(wanted)
      return { total: found.length, entries: limit === 0 ? [] : found.slice(-limit) }
    }),
    route('GET /journal/count', filter, (wanted) => ({ count: journal.count(wanted) })),
    route('GET /journal/wait', waiting, async ({ count, timeoutMs = 5_000, ...wanted }, { res }) => {
      const clientClosed = new AbortController()
      res.once('close', () => clientClosed.abort())
      return { entries: await journal.waitFor(count, wanted, { timeoutMs, signal: clientClosed.signal }) }
    }),
    route('DELETE /journal', {}, () => journal.clear()),
    route('GET /client-report', {}, () => ({ ...clientReport() })),
  ]
}

/** All endpoints that need the token, except the metrics. */
export function routesOf(served: ServedApis, log: (entry: LogEntry) => void): readonly Route[] {
  const { control, platform } = served
  return [
    ...pluginRoutes(served),
    ...clockRoutes('/clock', control.clock),
    ...faultRoutes(control),
    ...journalRoutes(control),
    route('GET /events', {}, (_, context) => {
      if (context.method === 'HEAD') {
        context.type = 'text/event-stream'
        context.body = ''
        return
      }
      context.respond = false
      streamEvents(served, context.res, log)
    }),
    ...(platform === null ? [] : platformRoutes(platform.platform)),
  ]
}

function platformRoutes(platform: PlatformSimulator): readonly Route[] {
  const { keys, clock } = platform
  const newKey = {
    name: z.string().exactOptional(),
    expiresAt: date.exactOptional(),
    live: z.boolean().exactOptional(),
  }
  return [
    route('GET /platform/accounts', {}, () => shownAccounts(platform)),
    route('GET /platform/keys', {}, async () => ({ keys: await keys.list() })),
    route('POST /platform/keys', newKey, keys.create),
    route('POST /platform/keys/:id/revoke', {}, (_, { params }) => keys.revoke(params.id ?? '')),
    route('POST /platform/keys/:id/expire', moment, ({ at }, { params }) => keys.expire(params.id ?? '', at)),
    ...clockRoutes('/platform/clock', clock),
    route('POST /platform/restart', { how }, async (input) => {
      if (input.how === 'crash') await platform.crash()
      await platform.restart()
    }),
    route('POST /platform/crash', {}, platform.crash),
    route('POST /platform/reset', {}, platform.reset),
  ]
}
