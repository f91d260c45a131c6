import { renderGrid, renderList } from '../../reports/html/table.ts'
import { renderTablePage, type TablePage } from '../../reports/html/table-page.ts'
import { type Html, html } from '../../reports/html/template.ts'
import { signsLegend } from '../../reports/phrases.ts'
import { lookOf } from '../exit-code.ts'
import { kit } from '../kit.ts'
import { type Change, changeKinds } from './change.ts'
import { type Comparison, columnsOf, countsOf, exitCodeOf, groupedByKind } from './comparison.ts'
import type { FleetComparison } from './fleets.ts'
import type { Rendering } from './format.ts'
import { leftOut, type MatrixRow } from './matrix.ts'

/** Comparisons as one HTML page. */
export const page: Rendering = { comparison: comparisonPage, matrix: matrixPage, fleets: fleetsPage }

function comparisonPage(comparison: Comparison): string {
  const { name, changes } = comparison
  return renderPage({
    heading: `${name}: ${countsOf(changes)}`,
    lines: factsOf(comparison),
    look: lookOf(exitCodeOf(changes)),
    sections: groupedByKind(changes).map(([kind, found]) => {
      const { heading } = changeKinds[kind]
      return { id: kind, title: heading, count: found.length, content: renderChanges(heading, found) }
    }),
  })
}

function matrixPage(rows: readonly MatrixRow[], comparisons: readonly Comparison[]): string {
  const columns = columnsOf(comparisons)
  const title = 'Requirements that failed or differ'
  const grid = renderGrid(
    title,
    ['Requirement', ...columns.map((_, index) => String(index + 1))],
    rows.map(({ requirement: { id, clause, level }, statuses }) => [
      html`<code>${id}</code> <small>clause ${clause}, ${level}</small>`,
      ...statuses,
    ]),
  )
  const content = html`<p class="note">${signsLegend}. ${leftOut}</p>${grid}`
  return renderPage({
    heading: `Comparison of ${columns.length} reports`,
    lines: columns.map((text, index) => `${index + 1}. ${text}`),
    look: lookOf(exitCodeOf(comparisons.flatMap(({ changes }) => changes))),
    sections: [{ id: 'requirements', title, count: rows.length, content }],
  })
}

function fleetsPage({ comparisons, notCompared, total, exitCode }: FleetComparison): string {
  const list = html`<ul>${notCompared.map((line) => html`<li>${line}</li>`)}</ul>`
  return renderPage({
    heading: 'Comparison of two fleets',
    lines: [total],
    look: lookOf(exitCode),
    sections: [
      ...comparisons.map((comparison, index) => ({
        id: `install-${index + 1}`,
        title: comparison.name,
        count: countsOf(comparison.changes),
        content: renderInstall(comparison),
      })),
      ...(notCompared.length === 0
        ? []
        : [{ id: 'not-compared', title: 'Not judged both times', count: notCompared.length, content: list }]),
    ],
  })
}

function renderPage(content: Pick<TablePage, 'heading' | 'lines' | 'look' | 'sections'>): string {
  return renderTablePage({ ...content, title: content.heading, kit, otherForms: null })
}

function factsOf({ before, now, differencesOfRuns }: Comparison): readonly string[] {
  return [`Before: ${before}`, `Now: ${now}`, ...differencesOfRuns]
}

function renderInstall(comparison: Comparison): Html {
  const kinds = groupedByKind(comparison.changes).map(([kind, changes]) => {
    const { heading } = changeKinds[kind]
    return html`<h3>${heading}</h3>${renderChanges(`${comparison.name}: ${heading}`, changes)}`
  })
  return html`<ul>${factsOf(comparison).map((fact) => html`<li>${fact}</li>`)}</ul>${kinds}`
}

function renderChanges(label: string, changes: readonly Change[]): Html {
  return renderList(
    label,
    ['Subject', 'What changed'],
    changes.map(({ subject, about, before, after }) => [
      html`<code>${subject}</code>`,
      html`${about}<br><b>Before:</b> ${before}<br><b>Now:</b> ${after}`,
    ]),
  )
}
