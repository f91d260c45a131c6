import type { Paint } from '../../reports/paint.ts'
import { signsLegend, statusSigns } from '../../reports/phrases.ts'
import { visibleLine } from '../../reports/visible.ts'
import { type ChangeKind, changeKinds } from './change.ts'
import { type Comparison, countsOf, groupedByKind, type Version } from './comparison.ts'
import type { MatrixRow } from './matrix.ts'

const colours: Readonly<Partial<Record<ChangeKind, Parameters<Paint>[0]>>> = {
  regression: 'red',
  'new-failure': 'red',
  'changed-failure': 'yellow',
  unjudged: 'yellow',
  fix: 'green',
}

/** A comparison of two reports for the terminal; the numbers come last. */
export function comparisonText(comparison: Comparison, paint: Paint): string {
  const { old, fresh, differencesOfRuns, changes } = comparison
  const blocks = [
    [`Before: ${versionText(old)}`, `Now:    ${versionText(fresh)}`, ...differencesOfRuns.map(visibleLine)],
    ...groupedByKind(changes).map(([kind, found]) => [
      paint(colours[kind] ?? 'cyan', changeKinds[kind].heading),
      ...found.flatMap(({ subject, about, before, after }) => [
        `  ${paint('bold', visibleLine(subject))} ${visibleLine(about)}`,
        `    ${paint('dim', 'before')} ${visibleLine(before)}`,
        `    ${paint('dim', 'now   ')} ${visibleLine(after)}`,
      ]),
    ]),
    [sentence(countsOf(changes))],
  ]
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** The name of a report and what was judged. */
export function versionText({ name, report: { target, verdict, startedAt } }: Version): string {
  const plugin = target.plugin === null ? '' : `, ${target.plugin.name} ${target.plugin.version}`
  return visibleLine(`${name}: ${verdict}${plugin}, ${startedAt}`)
}

/** Several reports beside each other. Each but the first comes with its comparison with the first. */
export function matrixText(rows: readonly MatrixRow[], comparisons: readonly Comparison[], paint: Paint): string {
  const [{ old } = { old: null }] = comparisons
  const versions = [
    ...(old === null ? [] : [versionText(old)]),
    ...comparisons.map(({ fresh, changes }) => `${versionText(fresh)}: ${countsOf(changes)}`),
  ]
  const width = Math.max(...rows.map(({ requirement }) => requirement.id.length), 0)
  const cells = (texts: readonly string[]) => texts.map((text) => text.padStart(3)).join(' ')
  const lines = rows.map(({ requirement: { id, clause, level }, statuses }) => {
    const signsOfRow = statuses.map((status) => (status === null ? '' : statusSigns[status]))
    return `${id.padEnd(width)} ${cells(signsOfRow)}  ${paint('dim', `clause ${clause}, ${level}`)}`
  })
  return [
    ...versions.map((text, index) => `[${index + 1}] ${text}`),
    '',
    `${''.padEnd(width)} ${cells(versions.map((_, index) => String(index + 1)))}`,
    ...lines,
    '',
    `${signsLegend}. Requirements with the same status in all reports are left out, if they did not fail.`,
    '',
  ].join('\n')
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
