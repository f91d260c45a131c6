import { levels } from '../spec/requirement.ts'
import {
  answerLabel,
  asSentence,
  changesLine,
  connectionLines,
  countStatus,
  differs,
  driftLine,
  failedChecks,
  failures,
  formatDuration,
  gateLine,
  knownFaultsLines,
  plural,
  statuses,
  statusLabels,
  termsLabel,
} from './phrases.ts'
import type { Report, ReportedCheck, ReportedRequirement } from './report.ts'
import type { Cell, Section, Table } from './tables.ts'

export function deviations({ gate, drift, scope }: Report): readonly Section[] {
  return [gate && baselineSection(gate), drift && profileSection(drift, scope.strict)].filter((one) => one !== null)
}

const anchor = (check: string): Cell => ({ link: `#${check}`, text: check })

function baselineSection(gate: NonNullable<Report['gate']>): Section {
  const { findings, excused } = gate
  const deviations = findings.map(({ kind, check, message }) => [[kind, anchor(check)], message])
  const known = excused.map((failure) => [['known', anchor(failure.check)], failure.reason, termsLabel(failure)])
  return {
    id: 'baseline',
    title: 'Baseline',
    count: findings.length,
    note: `${gateLine(gate)}.`,
    ...(findings.length > 0 && { colour: 'red' as const }),
    tables: [
      ...filled({ heads: ['Check', 'Message'], rows: deviations }),
      ...filled({ heads: ['Check', 'Reason', 'Terms'], rows: known }),
    ],
  }
}

function profileSection(drift: NonNullable<Report['drift']>, strict: boolean): Section {
  const rows = drift.findings.map(({ question, text, expected, answer, message }) => [
    [text, { code: question }],
    expected,
    answer ?? 'none of the known answers',
    message ?? '',
  ])
  return {
    id: 'profile',
    title: 'Drift from the profile',
    count: drift.findings.length,
    note: `${driftLine(drift, strict)}.`,
    tables: filled({ heads: ['Question', 'Profile', 'Observed', 'Meaning'], rows }),
  }
}

/** The non-empty sections about what could not be judged, what was out of scope, and what differs from the defaults. */
export function gaps(report: Report): readonly Section[] {
  const outside = scopeGaps(report).map(({ reason, checks, about }) => [reason, checks.length, codes(about)])
  const differing = report.observations
    .filter(differs)
    .map((one) => [[one.text, { code: one.question }], answerLabel(one), one.default, one.message ?? ''])
  const lists = [
    ['not-judged', 'Could not be judged', ['Reason', 'Status', 'Checks', 'About'], unjudged(report)],
    ['outside', 'Out of scope, or not applicable', ['Reason', 'Checks', 'Requirements'], outside],
    ['answers', 'Answers that differ from the default', ['Question', 'Answer', 'Default', 'Meaning'], differing],
  ] as const
  return lists.flatMap(([id, title, heads, rows]) =>
    rows.length === 0 ? [] : [{ id, title, tables: [{ heads, rows }] }],
  )
}

function unjudged({ requirements, observations }: Report): readonly (readonly Cell[])[] {
  const observed = observations.map((one) => ({ ...one, id: one.check, about: one.question }))
  return byReason([...checksIn(requirements), ...observed], ['error', 'blocked']).map(
    ({ reason, status, checks, about }) => [reason, statusLabels[status], { list: checks.map(anchor) }, codes(about)],
  )
}

/** Checks that were out of scope or not applicable, by reason, the most frequent one first. */
export function scopeGaps({ requirements }: Pick<Report, 'requirements'>) {
  const reasons = byReason(checksIn(requirements), ['out-of-scope', 'not-applicable'])
  return reasons.toSorted((one, other) => other.checks.length - one.checks.length)
}

const checksIn = (requirements: readonly ReportedRequirement[]) =>
  requirements.flatMap(({ id, checks }) => checks.map((check) => ({ ...check, about: id })))

type Judged = Pick<ReportedCheck, 'id' | 'status' | 'message'> & { readonly about: string }

/** The checks with these statuses by reason, and what they are about. */
function byReason(all: readonly Judged[], statuses: readonly Judged['status'][]) {
  const open = all.filter(({ status }) => statuses.includes(status))
  const reasons = new Map(open.map((one) => [`${one.status} ${one.message}`, one]))
  return Array.from(reasons.values(), ({ status, message }) => {
    const alike = open.filter((one) => one.status === status && one.message === message)
    const about = [...new Set(alike.map((one) => one.about))]
    return { reason: message ?? 'no reason given', status, checks: alike.map(({ id }) => id), about }
  })
}

const codes = (ids: readonly string[]): Cell => ({ list: ids.map((id) => ({ code: id })) })

const filled = (table: Table) => (table.rows.length === 0 ? [] : [table])

/** The response times of the run; none without a successful response. */
export function responseTimes({ responseTimes: times }: Report): readonly Section[] {
  if (times.length === 0) return []
  const rows = times.map(({ operation, responses, medianMs, p95Ms, maxMs }) => [
    { code: operation },
    ...[responses, `${medianMs} ms`, `${p95Ms} ms`, `${maxMs} ms`],
  ])
  const heads = ['Operation', 'Responses', 'Median', '95 %', 'Maximum']
  const note = 'Of all successful requests of the run.'
  return [{ id: 'latency', title: 'Response times', note, tables: [{ heads, rows, columns: 'numbers' }] }]
}

/** What was judged and what was not, what happened to the list, and the counts. */
export function overview(report: Report): readonly Section[] {
  return [judgedSection(report), countsSection(report), unjudgedSection(report), changesSection(report)]
}

type Fact = readonly [name: string, value: Cell | null | false]

const facts = (all: readonly Fact[]) =>
  all.flatMap(([name, value]) => (value === null || value === false ? [] : [[name, value] as const]))

function judgedSection(report: Report): Section {
  const { kit, target, platform, scope, seed, startedAt, durationMs, gate, drift } = report
  const isAlone = platform?.alone === true
  const plugin = target.plugin === null ? 'not known' : `${target.plugin.name} ${target.plugin.version}`
  const time = startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')
  return {
    id: 'judged',
    title: 'What was judged',
    facts: facts([
      ['Target', !isAlone && [{ code: target.url }, `(${target.kind})`]],
      ...connectionLines(report).map((line): Fact => ['Connection', line]),
      ['Plugin', !isAlone && plugin],
      ['Platform', platform && [{ code: platform.url }, `(${platform.kind}, risk ${platform.risk})`]],
      ['Risk', scope.risk],
      ['Capabilities', scope.capabilities.join(', ') || 'none'],
      ['Verdict by', scope.strict ? 'all levels (--strict)' : 'the level required'],
      ['Baseline', gate && `${gateLine(gate)}.`],
      ['Profile', drift && `${driftLine(drift, scope.strict)}.`],
      ['Kit', `${kit.name} ${kit.version}, requirements ${kit.requirementsVersion}`],
      ['Known faults', knownFaultsLines(report)[0] ?? null],
      ['Run', [`${time}, ${formatDuration(durationMs)}, seed`, { code: String(seed) }]],
    ]),
  }
}

/** Requirements counted by status and level. Each count links to its requirements. */
function countsSection(report: Report): Section {
  const cell = (count: number, filter: string): Cell =>
    count === 0 ? 0 : { link: `#find?${filter}`, text: String(count) }
  const rows = statuses
    .filter((status) => countStatus(report, status) > 0)
    .map((status) => [
      { status },
      ...levels.map((level) => cell(report.summary[level][status], `status=${status}&level=${level}`)),
      cell(countStatus(report, status), `status=${status}`),
    ])
  const heads = ['Status', ...levels, 'all']
  return { id: 'counts', title: 'Requirements by level', tables: [{ heads, rows, columns: 'numbers' }] }
}

function unjudgedSection(report: Report): Section {
  const { only, skip, complete } = report.scope
  const stopped = (['error', 'blocked'] as const).filter((status) => countStatus(report, status) > 0)
  const lines = [
    ...stopped.map((status) => [
      { link: `#find?status=${status}`, text: plural(countStatus(report, status), 'requirement') },
      status === 'error' ? 'met an internal error' : 'could not be judged',
    ]),
    ...scopeGaps(report).map(
      ({ reason, about, checks }) =>
        `${plural(checks.length, 'check')} of ${plural(about.length, 'requirement')}: ${reason}`,
    ),
  ]
  return {
    id: 'unjudged',
    title: 'What was not judged',
    lines: lines.length > 0 ? lines : ['Everything was in scope and judged.'],
    facts: facts([
      ['Only', only.length > 0 && only.join(', ')],
      ['Skipped', skip.length > 0 && skip.join(', ')],
      ['Out of scope', complete && 'a requirement makes the verdict incomplete'],
    ]),
  }
}

function changesSection(report: Report): Section {
  const { harm } = report
  const state = (rules: number | null, hash: string | null) =>
    rules === null || hash === null ? null : [plural(rules, 'rule'), { code: hash.slice(0, 12) }]
  return {
    id: 'changes',
    title: 'What happened to the list',
    note: asSentence(changesLine(report)),
    ...(harm?.restored === false && { colour: 'red' as const }),
    lines: [...(harm?.interference ?? []).map((edit) => `concurrent edit: ${edit}`), ...(harm?.differences ?? [])],
    facts: facts([
      ['Before', harm && state(harm.rulesBefore, harm.hashBefore)],
      ['After', harm && state(harm.rulesAfter, harm.hashAfter)],
    ]),
  }
}

/** The failures for browsers without scripts. */
export function failureSummary(report: Report): Section {
  const { all } = failures(report)
  return {
    id: 'failed',
    title: 'Failures',
    count: all.length,
    note: 'A browser that runs scripts shows the evidence, the other requirements and the open questions here. summary.md holds them too.',
    tables: all.map(failureTable),
  }
}

function failureTable(requirement: ReportedRequirement): Table {
  const { id, clause, level, statement, status, consequence } = requirement
  return {
    title: [{ status }, statement, { code: id }],
    lines: [consequence],
    heads: ['Check', `Clause ${clause}, ${level}`],
    rows: failedChecks(requirement).map((check) => [check.id, { below: [check.title, check.message ?? ''] }]),
  }
}
