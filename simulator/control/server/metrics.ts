import type { RequestSummary } from '../journal/entry.ts'
import { type Route, rawRoute, type ServedApis } from './route.ts'

/** Metrics in the text format of Prometheus. */
export interface Metrics {
  readonly route: Route
  readonly end: () => void
}

const prefix = 'copytrade_simulator_'

/** The upper bounds of the durations. */
const boundsSeconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, Number.POSITIVE_INFINITY]

interface Durations {
  /** How many lie within each bound, but not within the one before. */
  readonly within: number[]
  seconds: number
}

/** Counts without a library, which would take longer than the rest of the journal for each request. */
export function metricsOf({ control }: ServedApis): Metrics {
  /** By method, operation and status. */
  const requests = new Map<string, number>()
  const durations = new Map<string, Durations>()
  const faults = new Map<string, number>()
  const count = ({ method, operation, status, durationMs, fault }: RequestSummary) => {
    const of = operation ?? 'none'
    increase(requests, `method="${method}",operation="${of}",status="${status ?? 'none'}"`)
    const known = durations.get(of) ?? { within: boundsSeconds.map(() => 0), seconds: 0 }
    durations.set(of, known)
    known.seconds += durationMs / 1000
    const bound = boundsSeconds.findIndex((seconds) => durationMs / 1000 <= seconds)
    known.within[bound] = (known.within[bound] ?? 0) + 1
    if (fault === null) return
    const effect = control.faults.list().find(({ id }) => id === fault)?.effect.kind
    increase(faults, `effect="${effect ?? 'removed'}"`)
  }
  const text = () =>
    [
      family('requests_total', 'counter Requests to the plugin API; status none means no response', counted(requests)),
      family(
        'request_duration_seconds',
        'histogram Time from the head of a request to its response',
        buckets(durations),
      ),
      family('faults_played_total', 'counter Requests on which a fault was played', counted(faults)),
      family('rules', 'gauge Rules in the list', [['', control.rules().length]]),
      family('capacity', 'gauge The most rules that can be added', [['', control.capacity()]]),
      family('running', 'gauge 1 while the plugin is alive', [['', Number(control.running())]]),
      family('license_active', 'gauge 1 while the license is active', [['', Number(control.licenseActive())]]),
      family('journal_entries', 'gauge Entries in the journal', [['', control.journal.count()]]),
    ].join('\n')
  const unsubscribeResets = control.onReset(() => {
    for (const counts of [requests, durations, faults]) counts.clear()
  })
  const unsubscribeCount = control.journal.subscribeSummaries(count)
  return {
    end: () => {
      unsubscribeResets()
      unsubscribeCount()
    },
    route: rawRoute('GET /metrics', {}, async () => ({
      type: 'text/plain; version=0.0.4; charset=utf-8',
      text: text(),
    })),
  }
}

function increase(counts: Map<string, number>, labels: string): void {
  counts.set(labels, (counts.get(labels) ?? 0) + 1)
}

/** What follows the name of a metric, and its value. */
type Sample = readonly [labels: string, value: number]

/** `description` is the type and the help. */
function family(name: string, description: string, samples: readonly Sample[]): string {
  const full = prefix + name
  const [type, ...help] = description.split(' ')
  const lines = samples.map(([labels, value]) => `${full}${labels} ${value}\n`)
  return `# HELP ${full} ${help.join(' ')}\n# TYPE ${full} ${type}\n${lines.join('')}`
}

function counted(counts: ReadonlyMap<string, number>): readonly Sample[] {
  return [...counts].map(([labels, count]) => [`{${labels}}`, count])
}

function buckets(durations: ReadonlyMap<string, Durations>): readonly Sample[] {
  return [...durations].flatMap(([operation, { within, seconds }]): readonly Sample[] => {
    let count = 0
    const rows = boundsSeconds.map((bound, at): Sample => {
      count += within[at] ?? 0
      return [`_bucket{le="${bound === Number.POSITIVE_INFINITY ? '+Inf' : bound}",operation="${operation}"}`, count]
    })
    return [...rows, [`_sum{operation="${operation}"}`, seconds], [`_count{operation="${operation}"}`, count]]
  })
}
