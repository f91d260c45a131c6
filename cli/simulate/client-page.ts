import { plural } from '../../reports/phrases.ts'
import type { Cell, Page, Table } from '../../reports/tables.ts'
import type { ClientReport } from '../../simulator/index.ts'
import { pluginQuestions } from '../../spec/plugin/questions.ts'
import { pluginRequirements } from '../../spec/plugin/requirements.ts'
import { nameAndVersion } from '../version.ts'

/** The content of a client report. Members may be added, but not changed or removed. */
export type ClientDocument = ReturnType<typeof clientDocument>

/** Merges the reports between resets, since a reset empties the journal. `startedAt` is ISO 8601, UTC. */
export function clientDocument(startedAt: string, reports: readonly ClientReport[]) {
  const sum = (count: (report: ClientReport) => number) => reports.reduce((total, report) => total + count(report), 0)
  const covered = reports.flatMap(({ coverage }, place) => coverage.map((one) => ({ ...one, part: place + 1 })))
  return {
    schema: 'copytrade-tck/client-report@1' as const,
    kit: nameAndVersion,
    startedAt,
    endedAt: new Date().toISOString(),
    /** A reset begins a new part, in which request numbers restart at 1. */
    parts: reports.length,
    requests: sum(({ requests }) => requests),
    /** The number of earlier requests that the journal discarded. */
    forgotten: sum(({ forgotten }) => forgotten),
    /** `part` counts from 1, and `entry` is the number of the request in its part. */
    mistakes: reports.flatMap(({ mistakes }, place) => mistakes.map((one) => ({ ...one, part: place + 1 }))),
    /** The specified behaviours, how often this client exercised each, and the first request that did. */
    coverage: (reports[0]?.coverage ?? []).map(({ id, what, requirements }) => {
      const times = covered.filter((one) => one.id === id).reduce((total, one) => total + one.times, 0)
      const first = covered.find((one) => one.id === id && one.firstEntry !== null)
      const place = first === undefined ? null : { part: first.part, entry: first.firstEntry ?? 0 }
      return { id, what, requirements, times, first: place }
    }),
  }
}

export function clientPage(report: ClientDocument): Page {
  const { kit, requests, forgotten, parts, startedAt, endedAt, mistakes, coverage } = report
  const met = coverage.filter(({ times }) => times > 0)
  const metRows = met.map(({ what, times, first, requirements }) => {
    return [{ prose: what }, times, first === null ? '' : placeLabel(first), reasons(requirements)]
  })
  const unmet = coverage.filter(({ times }) => times === 0)
  const unmetRows = unmet.map(({ what, requirements }) => [{ prose: what }, reasons(requirements)])
  const resets = parts > 1 ? `, with ${plural(parts - 1, 'reset')} in between` : ''
  const discarded =
    forgotten > 0 ? ` The journal discarded ${forgotten} earlier ones, which this report does not cover.` : ''
  return {
    look: requests === 0 ? 'incomplete' : mistakes.length > 0 ? 'non-conformant' : 'conformant',
    kit,
    heading: `Client report: ${requests === 0 ? 'no requests' : plural(mistakes.length, 'mistake')}`,
    lines: [
      `The client met ${met.length} of ${coverage.length} behaviours of the specification.`,
      `${plural(requests, 'request')} from ${startedAt} to ${endedAt}${resets}.${discarded}`,
    ],
    sections: [
      { id: 'mistakes', title: 'Mistakes', count: mistakes.length, tables: kindsOf(mistakes) },
      {
        id: 'unmet',
        title: 'Not met',
        count: unmet.length,
        note: 'The client was not tested here. Provoke the behaviour with a fault, another key or a small capacity.',
        tables: [{ heads: ['Behaviour', 'Requirements'], rows: unmetRows }],
      },
      {
        id: 'met',
        title: 'Met',
        count: met.length,
        tables: [{ heads: ['Behaviour', 'Times', 'First', 'Requirements'], rows: metRows }],
      },
    ],
  }
}

type Mistakes = ClientDocument['mistakes']
type Mistake = Mistakes[number]

/** One table for each kind of mistake, with its remedy and requirements. */
function kindsOf(mistakes: Mistakes): readonly Table[] {
  const kinds = [...new Set(mistakes.map(({ kind }) => kind))]
  return kinds.map((kind) => {
    const found = mistakes.filter((mistake) => mistake.kind === kind)
    return {
      title: [{ prose: found[0]?.remedy ?? '' }, { code: kind }],
      lines: found[0]?.requirements.map(reason) ?? [],
      heads: ['Where', 'What', 'Request'],
      rows: groupEqual(found).map(([first, ...others]) => [
        `${placeLabel(first)}${others.length > 0 ? `, and ${others.length} more` : ''}`,
        { prose: first.what },
        { code: requestLine(first.request) },
      ]),
    }
  })
}

/** A client that does not stop repeats one mistake thousands of times. */
function groupEqual(mistakes: Mistakes): readonly (readonly [first: Mistake, ...others: Mistakes])[] {
  const groups = new Map<string, [Mistake, ...Mistake[]]>()
  for (const one of mistakes) {
    const text = `${one.what} ${requestLine(one.request)}`
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [one])
    else group.push(one)
  }
  return [...groups.values()]
}

function requestLine({ method, target, body, status }: Mistake['request']): string {
  return `${method} ${target}${body ? ` ${body}` : ''} → ${status ?? 'no response'}`
}

const reasons = (ids: readonly string[]): Cell => ({ below: ids.map(reason) })

function reason(id: string): Cell {
  const requirement = pluginRequirements.find((one) => one.id === id)
  const question = pluginQuestions.find((one) => one.id === id)
  const clause = requirement?.clause ?? question?.clause ?? ''
  return [{ code: id }, `(${clause}) ${requirement?.statement ?? question?.question ?? ''}`]
}

function placeLabel({ part, entry }: { readonly part: number; readonly entry: number }): string {
  if (part === 1) return `request ${entry}`
  return `request ${entry} after ${part === 2 ? 'the first reset' : `reset ${part - 1}`}`
}
