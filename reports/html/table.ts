import { statusLabels, statusSigns } from '../phrases.ts'
import type { RequirementStatus } from '../requirement-status.ts'
import { type Html, html } from './template.ts'

/** What the tables of a page need besides the style of every page. */
export const tableStyle = `
.scroll { overflow: auto; } .scroll th, .scroll td { white-space: nowrap; }
.grid td { text-align: center; padding: .25rem .4rem; font-weight: 400; } .grid td:last-child { font-weight: 400; }
.grid tbody th { position: sticky; left: 0; background: var(--page); text-align: left; padding-right: 1rem; }
.grid td.failed, .grid td.error { background: var(--red-well); color: var(--red); }
.grid td.passed { color: var(--green); } .grid td:is(.blocked, .partly-judged) { color: var(--amber); }
.list td, .list th { text-align: left; vertical-align: top; font-weight: 400; }
.list td:last-child { font-weight: 400; white-space: normal; min-width: min(20rem, 60vw); } .list code { overflow-wrap: normal; }
`

type Cell = string | number | Html

/** A row of a table: its heading, and the cells. */
type Row<Any> = readonly [heading: Cell, ...cells: Any[]]

/** A table as text. The last column takes what is left of the width. `label` names the table. */
export function renderList(label: string, heads: readonly string[], rows: readonly Row<Cell>[]): Html {
  return renderTable({ label, look: 'list', heads, rows }, (cell) => html`<td>${cell}</td>`)
}

/** A table of statuses, each a sign. `label` names the table. */
export function renderGrid(label: string, heads: readonly string[], rows: readonly Row<RequirementStatus | null>[]) {
  return renderTable({ label, look: 'grid', heads, rows }, renderStatus)
}

interface Table<Any> {
  readonly label: string
  readonly look: 'list' | 'grid'
  readonly heads: readonly string[]
  readonly rows: readonly Row<Any>[]
}

/** It may be wider than the page, so it scrolls, with the keyboard too. */
function renderTable<Any>({ label, look, heads, rows }: Table<Any>, renderCell: (cell: Any) => Html): Html {
  const lines = rows.map(
    ([heading, ...cells]) => html`<tr><th scope="row">${heading}</th>${cells.map(renderCell)}</tr>
`,
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table: ${label}"><table class="${look}"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${lines}</tbody></table></div>`
}

function renderStatus(status: RequirementStatus | null): Html {
  if (status === null) return html`<td></td>`
  return html`<td class="${status}" title="${statusLabels[status]}">${statusSigns[status]}</td>`
}
