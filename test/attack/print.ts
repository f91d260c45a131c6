import type { Conditions, Measured } from './measure.ts'
import { contentOf } from './oracle.ts'
import type { RoundResult } from './round.ts'
import type { Played } from './rounds.ts'
import { outcomes } from './verdict.ts'

/** How many times each scenario had each outcome, as a Markdown table. The last row is the sum. */
export function table(played: readonly Played[]): string {
  const names = [...new Set(played.map(({ round }) => round.scenario.name))]
  const row = (name: string, rounds: readonly Played[]) => {
    const counts = outcomes.map((outcome) => rounds.filter(({ result }) => result.outcome === outcome).length)
    return `| ${[name, rounds.length, ...counts].join(' | ')} |`
  }
  return [
    `| ${['scenario', 'rounds', ...outcomes].join(' | ')} |`,
    `| --- |${' ---: |'.repeat(outcomes.length + 1)}`,
    ...names.map((name) =>
      row(
        name,
        played.filter(({ round }) => round.scenario.name === name),
      ),
    ),
    row('all', played),
  ].join('\n')
}

/** The last row of the table in one line. */
export function sumLine(played: readonly Played[]): string {
  const counts = outcomes.map((outcome) => played.filter(({ result }) => result.outcome === outcome).length)
  return `${played.length} rounds: ${outcomes.map((outcome, at) => `${counts[at]} ${outcome}`).join(', ')}`
}

/** All details of a round. */
export function roundLines({ outcome, reasons, first, passed, last, ended }: RoundResult): string {
  const line = (list: typeof first) => (list ?? []).map(contentOf).join(', ')
  const requests = passed.map(({ by, method, path, status, before, after }) => {
    const [old = [], now = []] = [before, after].map((list) => (list ?? []).map(contentOf))
    const removed = old.filter((rule) => !now.includes(rule)).map((rule) => `-${rule}`)
    const added = now.filter((rule) => !old.includes(rule)).map((rule) => `+${rule}`)
    return [by, method, path, status, ...removed, ...added].join(' ')
  })
  const commands = ended.map(({ command, code, signal, output, report }) =>
    [`${command}: ${code ?? signal}`, output, JSON.stringify(report?.harm, null, 1)].join('\n'),
  )
  return [`first: ${line(first)}`, ...requests, `last: ${line(last)}`, ...commands, outcome, ...reasons].join('\n')
}

interface HitsRow {
  readonly conditions: Conditions
  readonly measured: Measured
}

/** Foreign rules that were hit, per 1,000 DELETE requests of the kit. */
export function hitsTable(rows: readonly HitsRow[]): string {
  const intervals = [...new Set(rows.map(({ conditions }) => conditions.everyMs))]
  const places = [...new Set(rows.map(({ conditions }) => placeOf(conditions)))]
  const cell = (place: string, everyMs: number) => {
    const row = rows.find(({ conditions }) => placeOf(conditions) === place && conditions.everyMs === everyMs)
    return row === undefined ? '' : ((1_000 * row.measured.hits) / row.measured.deletes).toFixed(1)
  }
  return [
    `| New rules go to, round trip | ${intervals.map((ms) => `every ${ms} ms`).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(intervals.length)}`,
    ...places.map((place) => `| ${place} | ${intervals.map((ms) => cell(place, ms)).join(' | ')} |`),
  ].join('\n')
}

function placeOf({ insertsAt, roundTripMs }: Conditions): string {
  return `the ${insertsAt}, ${roundTripMs === 0 ? 'same machine' : `${roundTripMs} ms`}`
}
