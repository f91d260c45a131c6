import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { route } from './route.ts'
import type { ServedApis } from './view.ts'

const prefix = 'copytrade_simulator_'

export function metricsOf({ control }: ServedApis) {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: `${prefix}requests_total`,
    help: 'Requests to the plugin API; status none means no response',
    labelNames: ['method', 'operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: `${prefix}request_duration_seconds`,
    help: 'Time from the head of a request to its response',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  const faults = new Counter({
    name: `${prefix}faults_played_total`,
    help: 'Requests on which a fault was played',
    labelNames: ['effect'],
    registers,
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: prefix + name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('rules', 'Rules in the list', () => control.rules().length)
  gauge('capacity', 'The most rules that can be added', control.capacity)
  gauge('running', '1 while the plugin is alive', () => Number(control.running()))
  gauge('license_active', '1 while the license is active', () => Number(control.licenseActive()))
  gauge('journal_entries', 'Entries in the journal', () => control.journal.count())

  const ends = [
    control.onReset(() => registry.resetMetrics()),
    control.journal.subscribeSummaries(({ method, operation, status, durationMs, fault }) => {
      requests.inc({ method, operation: operation ?? 'none', status: status ?? 'none' })
      durations.observe({ operation: operation ?? 'none' }, durationMs / 1000)
      if (fault === null) return
      const effect = control.faults.list().find(({ id }) => id === fault)?.effect.kind
      faults.inc({ effect: effect ?? 'removed' })
    }),
  ]
  return {
    end: () => {
      for (const end of ends) end()
    },
    route: route('GET /metrics', {}, async (_, context) => {
      context.type = registry.contentType
      context.body = await registry.metrics()
    }),
  }
}
