import { groupByClause } from '../../../reports/clause.ts'
import { renderFilter } from '../../../reports/html/filter.ts'
import type { Section } from '../../../reports/html/section.ts'
import { type Html, html } from '../../../reports/html/template.ts'
import type { ApiMatrix, RequirementColumn, Selftest, Violation } from '../document.ts'
import { countKills, killLabels, kills } from '../verdicts.ts'
import { renderDefect } from './defect.ts'
import { renderGrid } from './grid.ts'

/** Violations first, then the matrix as a picture, by defect and by requirement. */
export function sectionsOf(document: Selftest): readonly Section[] {
  const { findings, apis } = document
  return [
    ...(findings.length === 0 ? [] : [findingsSection(findings)]),
    ...apis.map((api) => gridSection(api)),
    ...apis.map((api) => defectSection(document, api)),
    ...apis.map((api) => requirementSection(api)),
  ]
}

function findingsSection(findings: readonly Violation[]): Section {
  const content = html`<ul class="findings">${findings.map(({ law, sentence }) => html`<li><b>Law ${law}</b> ${sentence}</li>`)}</ul>`
  return { id: 'findings', title: 'Violations', count: findings.length, content }
}

function gridSection(api: ApiMatrix): Section {
  const { name, defects, requirements } = api
  const count = `${defects.length} × ${requirements.length}`
  return { id: `matrix-${name}`, title: `Kill matrix: ${name}`, count, content: renderGrid(api) }
}

function defectSection(document: Selftest, { name, defects }: ApiMatrix): Section {
  const choices = kills.flatMap((kill) => {
    const count = countKills(document, kill)
    return count === 0 ? [] : [{ id: kill, label: `${killLabels[kill]} (${count})` }]
  })
  const content = html`${renderFilter('kill', choices)}<div class="clause">${defects.map(renderDefect)}</div>`
  return { id: `defects-${name}`, title: `Defects: ${name}`, count: defects.length, content }
}

function requirementSection({ name, requirements }: ApiMatrix): Section {
  const tables = groupByClause(requirements).map(
    ({ clause, items }) => html`<h3>Clause ${clause}</h3>
<table class="columns"><thead><tr><th scope="col">Requirement</th><th scope="col">broken by</th><th scope="col">caught</th><th scope="col">also failed</th><th scope="col">false alarms</th></tr></thead><tbody>${items.map(renderRequirement)}</tbody></table>
`,
  )
  return {
    id: `requirements-${name}`,
    title: `Requirements: ${name}`,
    count: requirements.length,
    content: html`${tables}`,
  }
}

function renderRequirement(column: RequirementColumn): Html {
  const { id, statement, brokenBy, caught, alsoRed, falseAlarms, toothless } = column
  const bad = (isBad: boolean) => isBad && html` class="bad"`
  return html`<tr id="${id}"><th scope="row">${statement} <small><code>${id}</code>${toothless && html` <b class="bad">unproven</b>`}</small></th><td>${brokenBy.length}</td><td${bad(caught.length < brokenBy.length || toothless)}>${caught.length}</td><td>${alsoRed.length}</td><td${bad(falseAlarms > 0)}>${falseAlarms}</td></tr>
`
}
