import { durableChanges, savedChanges } from './measures/changes.ts'
import { comparisonTools } from './measures/comparison-tools.ts'
import { fleet } from './measures/fleet.ts'
import { get } from './measures/get.ts'
import { growth } from './measures/growth.ts'
import { idle } from './measures/idle.ts'
import { installed } from './measures/install.ts'
import { firstPaint, writing } from './measures/report.ts'
import { requests } from './measures/requests.ts'
import { embedded, exec } from './measures/run.ts'
import { selftest } from './measures/selftest.ts'
import { coldStart, help } from './measures/start.ts'
import { highLatency, manyRules } from './measures/target.ts'
import type { Measurement, Part, Round, Row } from './row.ts'

const raw = 'raw `node:http`'
const rules10 = get({ rules: 10, path: '/api/rules', status: 200 })
const rules1000 = get({ rules: 1000, path: '/api/rules', status: 200 })
const status = get({ rules: 10, path: '/api/status', status: 200 })
const wrongKey = get({ rules: 10, path: '/api/rules', key: 'another-key', status: 401 })
const unknownPath = get({ rules: 10, path: '/api/elsewhere', status: 404 })

/** All rows by id, with the limit to compare with and the goal. README.md explains each. */
const table: Readonly<Record<Part, Readonly<Record<string, Omit<Row, 'id' | 'part'>>>>> = {
  server: {
    'rules-10': { what: 'GET 10 rules', against: raw, ...least(0.75), ...ratio(rules10, 'rate') },
    'rules-10-p99': { what: 'the same, p99', ...most(5, 'ms'), ...value(rules10, 'p99') },
    'rules-1000': { what: 'GET 1,000 rules', against: raw, ...least(0.8), ...ratio(rules1000, 'rate') },
    'rules-1000-p99': { what: 'the same, p99', ...most(5, 'ms'), ...value(rules1000, 'p99') },
    peers: {
      what: 'GET 1,000 rules',
      against: 'the best peer',
      ...least(5),
      measure: comparisonTools,
      figure: overBestPeer,
    },
    status: { what: 'GET the status', against: raw, ...least(0.65), ...ratio(status, 'rate') },
    'wrong-key': { what: 'GET with a wrong key', against: raw, ...least(0.65), ...ratio(wrongKey, 'rate') },
    'unknown-path': { what: 'GET an unknown path', against: raw, ...least(0.65), ...ratio(unknownPath, 'rate') },
    changes: { what: 'POST and DELETE, saved', against: raw, ...least(0.5), ...ratio(savedChanges, 'rate') },
    idle: { what: 'journal, control, faults idle', against: 'without', ...least(0.9), ...ratio(idle, 'rate') },
    memory: { what: 'memory at the start', against: 'bare Koa', ...most(1.25), ...ratio(coldStart, 'bytes') },
  },
  store: {
    durable: { what: 'POST and DELETE, durable', against: 'saved', ...least(0.45), ...ratio(durableChanges, 'rate') },
    'growth-post': { what: 'POST to 100,000 rules', against: '100 rules', ...most(1.5), ...ratio(growth, 'post') },
    'growth-delete': { what: 'DELETE of 100,000', against: '100 rules', ...most(1.5), ...ratio(growth, 'delete') },
  },
  start: {
    'cold-start': { what: 'first response', against: 'bare Koa', ...most(1.4), ...ratio(coldStart, 'seconds') },
    help: { what: '`--help`', against: '`node -e 0`', ...most(1.5), ...ratio(help, 'seconds') },
  },
  run: {
    exec: { what: '`--exec`', against: 'bare loop and starts', ...most(1.5), ...ratio(exec, 'seconds') },
    'exec-seconds': { what: 'the same', ...most(8, 's'), ...value(exec, 'seconds') },
    embedded: { what: 'embedded simulators', against: 'bare loop', ...most(2), ...ratio(embedded, 'seconds') },
    'embedded-seconds': { what: 'the same', ...most(3, 's'), ...value(embedded, 'seconds') },
    distant: {
      what: 'target 20 ms away',
      against: 'round trips',
      ...most(1.1),
      measure: highLatency,
      figure: overTrips,
    },
    'many-rules': { what: '100,000 rules', against: 'three reads', ...most(2), ...ratio(manyRules, 'seconds') },
    selftest: { what: 'self-test, sample', against: 'bare loop', ...most(2), ...ratio(selftest, 'seconds') },
  },
  live: {
    requests: { what: 'requests at risk write', ...most(3_041, 'requests'), ...value(requests, 'requests') },
  },
  fleet: {
    'fleet-seconds': {
      what: '500 installs, time of each',
      against: '50 installs',
      ...most(1.2),
      ...ratio(fleet, 'seconds'),
    },
    'fleet-memory': { what: 'the same, memory', against: '50 installs', ...most(1.2), ...ratio(fleet, 'bytes') },
  },
  report: {
    'report-writing': { what: 'writing a report', ...most(0.3, 's'), ...value(writing, 'seconds') },
    'first-paint': { what: 'first paint of the page', ...most(0.5, 's'), ...value(firstPaint, 'seconds') },
    'report-size': { what: 'files of a conformant run', ...most(1, 'MB'), ...megabytes(embedded) },
  },
  install: {
    'install-size': { what: 'size on disk', ...most(30, 'MB'), ...megabytes(installed) },
    'install-packages': { what: 'packages', ...most(70, 'packages'), ...value(installed, 'packages') },
  },
}

export const parts = Object.keys(table) as Part[]
export const rows: readonly Row[] = parts.flatMap((part) =>
  Object.entries(table[part]).map(([id, entry]) => ({ id, part, ...entry })),
)

function least(goal: number) {
  return { goal, direction: 'at least', unit: '×' } as const
}

function most(goal: number, unit: Row['unit'] = '×') {
  return { goal, direction: 'at most', unit } as const
}

function ratio(measure: Measurement, name: string) {
  return { measure, figure: (round: Round) => of(round, 'product', name) / of(round, 'limit', name) }
}

function value(measure: Measurement, name: string) {
  return { measure, figure: (round: Round) => of(round, 'product', name) }
}

function megabytes(measure: Measurement) {
  return { measure, figure: (round: Round) => of(round, 'product', 'bytes') / 1e6 }
}

function overBestPeer(round: Round): number {
  const rates = Object.keys(round).map((side) => (side === 'product' ? 0 : of(round, side, 'rate')))
  return of(round, 'product', 'rate') / Math.max(...rates)
}

function overTrips(round: Round): number {
  const trips = of(round, 'product', 'requests') * of(round, 'limit', 'roundTrip')
  return of(round, 'product', 'seconds') / trips
}

function of(round: Round, side: string, name: string): number {
  return round[side]?.[name] ?? Number.NaN
}
