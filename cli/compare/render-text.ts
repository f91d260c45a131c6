import type { Paint } from '../../reports/paint.ts'
import { signsLegend, statusSigns } from '../../reports/phrases.ts'
import { visibleLine } from '../../reports/visible.ts'
import { type ChangeKind, changeKinds } from './change.ts'
import { type Comparison, columnsOf, countsOf, groupedByKind } from './comparison.ts'
import type { Rendering } from './format.ts'
import { leftOut, type MatrixRow } from './matrix.ts'

const colours: Readonly<Partial<Record<ChangeKind, Parameters<Paint>[0]>>> = {
  regression: 'red',
  'new-failure': 'red',
  'changed-failure': 'yellow',
  unjudged: 'yellow',
  fix: 'green',
}

/** Comparisons for the terminal; the numbers come last. */
export function terminal(paint: Paint): Rendering {
  return {
    comparison: (comparison) => comparisonText(comparison, paint),
    matrix: (rows, comparisons) => matrixText(rows, comparisons, paint),
    fleets: ({ comparisons, notCompared, total }) =>
      [...comparisons.map((one) => comparisonText(one, paint)), ...notCompared.map(visibleLine), total, ''].join('\n'),
  }
}

function comparisonText({ before, now, differencesOfRuns, changes }: Comparison, paint: Paint): string {
  const blocks = [
    [`Before: ${before}`, `Now:    ${now}`, ...differencesOfRuns.map(visibleLine)],
    ...groupedByKind(changes).map(([kind, found]) => [
      paint(colours[kind] ?? 'cyan', changeKinds[kind].heading),
      ...found.flatMap((change) => [
        `  ${paint('bold', visibleLine(change.subject))} ${visibleLine(change.about)}`,
        `    ${paint('dim', 'before')} ${visibleLine(change.before)}`,
        `    ${paint('dim', 'now   ')} ${visibleLine(change.after)}`,
      ]),
    ]),
    [sentence(countsOf(changes))],
  ]
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function matrixText(rows: readonly MatrixRow[], comparisons: readonly Comparison[], paint: Paint): string {
  const columns = columnsOf(comparisons)
  const width = Math.max(...rows.map(({ requirement }) => requirement.id.length), 0)
  const cells = (texts: readonly string[]) => texts.map((text) => text.padStart(3)).join(' ')
  const lines = rows.map(({ requirement: { id, clause, level }, statuses }) => {
    const signsOfRow = statuses.map((status) => (status === null ? '' : statusSigns[status]))
    return `${id.padEnd(width)} ${cells(signsOfRow)}  ${paint('dim', `clause ${clause}, ${level}`)}`
  })
  return [
    ...columns.map((text, index) => `[${index + 1}] ${text}`),
    '',
    `${''.padEnd(width)} ${cells(columns.map((_, index) => String(index + 1)))}`,
    ...lines,
    '',
    `${signsLegend}. ${leftOut}`,
    '',
  ].join('\n')
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
