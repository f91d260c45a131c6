import type { ComponentChildren } from 'preact'
import { levels } from '../../spec/requirement.ts'
import {
  changesLine,
  connectionLines,
  countStatus,
  diagnosisExtent,
  driftLine,
  formatDuration,
  gateLine,
  knownFaultsLine,
  plural,
  statuses,
} from '../phrases.ts'
import type { Diagnosis, Report } from '../report.ts'
import { scopeGaps } from '../verdict.ts'
import { Section } from './section.tsx'
import { StatusBadge } from './status-badge.tsx'

interface Given {
  readonly report: Report
}

const verdicts = {
  conformant: ['✓', 'Conformant'],
  partial: ['◐', 'Partial'],
  'non-conformant': ['✕', 'Non-conformant'],
  incomplete: ['?', 'Incomplete'],
} as const

/** The verdict, the sentence that explains it, and the faults that explain the failures. */
export function Banner({ report }: Given) {
  const { verdict, explanation, kit } = report
  const [sign, label] = verdicts[verdict]
  return (
    <header class={`banner ${verdict}`}>
      <p class="kit">
        {kit.name} {kit.version}, requirements {kit.requirementsVersion}
      </p>
      <h1>
        <span aria-hidden="true">{sign}</span> {label}
      </h1>
      <p>{explanation}</p>
      <LikelyFaults report={report} />
    </header>
  )
}

function LikelyFaults({ report: { diagnosis, requirements } }: Given) {
  if (diagnosis === undefined || requirements.every(({ status }) => status !== 'failed')) return null
  const [best, ...others] = diagnosis
  if (best === undefined) return <p class="diagnosis">No known fault explains these failures.</p>
  return (
    <div class="diagnosis">
      <p>
        Most likely <b>{best.defects.length === 1 ? 'one fault' : 'two faults'}</b> ({diagnosisExtent(best)}):
      </p>
      <Faults {...best} />
      {others.length > 0 && (
        <details>
          <summary>{plural(others.length, 'other explanation')}</summary>
          {others.map((other) => (
            <div key={other.defects.join()}>
              <p>
                {other.score === best.score ? 'As likely' : 'Less likely'} ({diagnosisExtent(other)}):
              </p>
              <Faults {...other} />
            </div>
          ))}
        </details>
      )}
    </div>
  )
}

function Faults({ defects, summaries }: Diagnosis) {
  return (
    <ul>
      {defects.map((id, place) => (
        <li key={id}>
          {summaries[place]} <code>{id}</code>
        </li>
      ))}
    </ul>
  )
}

/** What was judged and what was not, what happened to the list, and the counts. */
export function Overview({ report }: Given) {
  return (
    <div class="overview">
      <Judged report={report} />
      <Counts report={report} />
      <Unjudged report={report} />
      <Changes report={report} />
    </div>
  )
}

type Fact = readonly [name: string, value: ComponentChildren]

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl>
      {facts
        .filter(([, value]) => value !== false && value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

function Judged({ report }: Given) {
  const { target, platform, scope, seed, startedAt, durationMs, gate, drift } = report
  const plugin = target.plugin === null ? 'not known' : `${target.plugin.name} ${target.plugin.version}`
  const time = startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')
  const address = (url: string, about: string) => (
    <>
      <code>{url}</code> ({about})
    </>
  )
  const facts: readonly Fact[] = [
    ['Target', !platform?.alone && address(target.url, target.kind)],
    ...connectionLines(report).map((line): Fact => ['Connection', line]),
    ['Plugin', !platform?.alone && plugin],
    ['Platform', platform && address(platform.url, `${platform.kind}, risk ${platform.risk}`)],
    ['Risk', scope.risk],
    ['Capabilities', list(scope.capabilities)],
    ['Verdict by', scope.strict ? 'all levels (--strict)' : 'the level required'],
    ['Baseline', gate && `${gateLine(gate)}.`],
    ['Profile', drift && `${driftLine(drift, scope.strict)}.`],
    [
      'Run',
      <>
        <time dateTime={startedAt}>{time}</time>, {formatDuration(durationMs)}, seed <code>{seed}</code>
      </>,
    ],
  ]
  return (
    <Section id="judged" title="What was judged">
      <Facts facts={facts} />
    </Section>
  )
}

const list = (values: readonly string[]) => (values.length === 0 ? 'none' : values.join(', '))

/** Requirements counted by status and level; each count is a link to those requirements. */
function Counts({ report }: Given) {
  const present = statuses.filter((status) => countStatus(report, status) > 0)
  return (
    <Section id="counts" title="Requirements by level">
      <table>
        <thead>
          <tr>
            {['Status', ...levels, 'all'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {present.map((status) => (
            <tr key={status}>
              <th scope="row">
                <StatusBadge status={status} />
              </th>
              {levels.map((level) => (
                <Count key={level} count={report.summary[level][status]} filter={`status=${status}&level=${level}`} />
              ))}
              <Count count={countStatus(report, status)} filter={`status=${status}`} />
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Count({ count, filter }: { readonly count: number; readonly filter: string }) {
  if (count === 0) return <td class="zero">0</td>
  return (
    <td>
      <a href={`#find?${filter}`}>{count}</a>
    </td>
  )
}

function Unjudged({ report }: Given) {
  const { only, skip, complete } = report.scope
  const gaps = scopeGaps(report)
  const stopped = (['error', 'blocked'] as const).filter((status) => countStatus(report, status) > 0)
  const line = knownFaultsLine(report)
  const facts: readonly Fact[] = [
    ['Only', only.length > 0 && list(only)],
    ['Skipped', skip.length > 0 && list(skip)],
    ['Out of scope', complete && 'a requirement makes the verdict incomplete'],
  ]
  return (
    <Section id="unjudged" title="What was not judged">
      {gaps.length + stopped.length === 0 && <p>Everything was in scope and judged.</p>}
      <ul>
        {stopped.map((status) => (
          <li key={status}>
            <a href={`#find?status=${status}`}>{plural(countStatus(report, status), 'requirement')}</a>{' '}
            {status === 'error' ? 'met an internal error' : 'could not be judged'}
          </li>
        ))}
        {gaps.map(({ reason, requirements, checks }) => (
          <li key={reason}>
            {plural(checks.length, 'check')} of {plural(requirements.length, 'requirement')}: {reason}
          </li>
        ))}
      </ul>
      {line !== null && <p class="note">{line}</p>}
      <Facts facts={facts} />
    </Section>
  )
}

function Changes({ report }: Given) {
  const { harm } = report
  const line = changesLine(report)
  const interference = (harm?.interference ?? []).map((change) => `concurrent edit: ${change}`)
  const state = (rules: number, hash: string) => (
    <>
      {plural(rules, 'rule')} <code title={hash}>{hash.slice(0, 12)}</code>
    </>
  )
  return (
    <Section id="changes" title="What happened to the list">
      <p class={harm !== null && !harm.restored ? 'harm harmed' : 'harm'}>
        {line.charAt(0).toUpperCase()}
        {line.slice(1)}.
      </p>
      <ul>
        {[...interference, ...(harm?.differences ?? [])].map((difference) => (
          <li key={difference}>{difference}</li>
        ))}
      </ul>
      {harm !== null && (
        <Facts
          facts={[
            ['Before', state(harm.rulesBefore, harm.hashBefore)],
            ['After', state(harm.rulesAfter, harm.hashAfter)],
          ]}
        />
      )}
    </Section>
  )
}
