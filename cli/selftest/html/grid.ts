import { groupByClause } from '../../../reports/clause.ts'
import { type Html, html } from '../../../reports/html/template.ts'
import type { ApiMatrix, DefectRow } from '../document.ts'

const cell = 6
const headHeight = 34

type Mark = 'caught' | 'missed' | 'hidden' | 'also' | 'blocked'

const meanings: Readonly<Record<Mark, string>> = {
  caught: 'named, failed',
  missed: 'named, but passed',
  hidden: 'named, masked by the answers',
  also: 'failed without being named',
  blocked: 'could not be judged',
}

/** The matrix as a picture: a row for each defect, a column for each requirement. */
export function renderGrid({ name, defects, requirements }: ApiMatrix): Html {
  const clauses = groupByClause(requirements)
  const columns = clauses.flatMap(({ items }) => items.map(({ id }) => id))
  const width = columns.length * cell
  const height = headHeight + defects.length * cell
  const label = `Kill matrix of ${defects.length} defects by ${columns.length} requirements of the ${name}. The lists below hold the same data as text.`
  const rows = defects.map((defect, place) => renderRow(defect, headHeight + place * cell, columns))
  return html`<p class="note">A row is a defect, a column a requirement, by clause. The lists below hold the same data as text.</p>
<p class="legend">${Object.entries(meanings).map(([mark, meaning]) => html`<span><svg width="12" height="12" aria-hidden="true"><rect class="${mark}" x="1" y="1" width="10" height="10"/></svg> ${meaning}</span> `)}</p>
<div class="grid" tabindex="0" role="region" aria-label="Kill matrix: ${name}"><svg role="img" aria-label="${label}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${renderClauses(clauses, height)}${rows}</svg></div>`
}

type Clauses = readonly { readonly clause: string; readonly items: readonly unknown[] }[]

/** A line before each clause; the rules of one clause share its name, or the names would overlap. */
function renderClauses(clauses: Clauses, height: number): readonly Html[] {
  let column = 0
  return clauses.map(({ clause, items }, place) => {
    const x = column * cell
    column += items.length
    const [name = clause] = clause.split(' ')
    const isFirst = clauses[place - 1]?.clause.split(' ')[0] !== name
    return html`<line x1="${x}" y1="0" x2="${x}" y2="${height}"/>${isFirst && html`<text x="${x + 2}" y="${place % 2 === 0 ? 11 : 25}">${name}</text>`}
`
  })
}

function renderRow(defect: DefectRow, y: number, columns: readonly string[]): readonly Html[] {
  return [...marksOf(defect)].map(([requirement, mark]) => {
    const x = columns.indexOf(requirement) * cell
    return html`<rect class="${mark}" x="${x + 0.5}" y="${y + 0.5}" width="${cell - 1}" height="${cell - 1}"><title>${defect.id} × ${requirement}: ${meanings[mark]}</title></rect>
`
  })
}

function marksOf({ breaks, killedBy, missedBy, hiddenFrom, blocked }: DefectRow): ReadonlyMap<string, Mark> {
  return new Map<string, Mark>([
    ...blocked.map((id) => [id, 'blocked'] as const),
    ...killedBy.map((id) => [id, breaks.includes(id) ? 'caught' : 'also'] as const),
    ...missedBy.map((id) => [id, 'missed'] as const),
    ...hiddenFrom.map((id) => [id, 'hidden'] as const),
  ])
}
