import { groupByClause } from '../../../reports/clause.ts'
import type { Section } from '../../../reports/html/section.ts'
import { type Html, html } from '../../../reports/html/template.ts'
import type { ApiMatrix, DefectRow, RequirementColumn, Selftest, Violation } from '../document.ts'
import { countKills, killLabels, kills } from '../verdicts.ts'
import { killBadge } from './badge.ts'
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

/** A row of the matrix as text: the defect, and the result of every requirement concerned. */
function renderDefect(defect: DefectRow): Html {
  const { id, summary, verdict, breaks, killedBy, killedAlone, missedBy, hiddenFrom, blocked, combined } = defect
  const others = killedBy.filter((requirement) => !breaks.includes(requirement))
  const wrong = missedBy.length > 0 || (combined?.missedBy.length ?? 0) > 0
  return html`<details class="requirement ${wrong && 'missed'}" id="${id}" data-status="${verdict}"${wrong && html` open`}>
<summary>${killBadge(verdict)} <span class="headline">${summary} <small><code>${id}</code></small></span></summary>
<div class="inside">
${list(
  'Caught by the requirements that it names',
  breaks.filter((requirement) => killedBy.includes(requirement)),
)}
${list('Of these, caught only on a server of their own', killedAlone)}
${list('Missed by requirements that it names', missedBy)}
${list('Masked for, with these answers', hiddenFrom)}
${list('Also failed', others)}
${list('Blocked by it', blocked)}
${combined !== null && html`<p class="note">With the random answers of profile ${combined.profile}: ${underRandomAnswers(combined)}.</p>`}
</div>
</details>
`
}

function list(title: string, requirements: readonly string[]): Html | null {
  if (requirements.length === 0) return null
  return html`<p><b>${title}:</b> ${requirements.map((id) => html`<a href="#${id}"><code>${id}</code></a> `)}</p>`
}

function underRandomAnswers({ missedBy, hiddenFrom }: NonNullable<DefectRow['combined']>): string {
  if (missedBy.length > 0) return `missed by ${missedBy.join(', ')}`
  return hiddenFrom.length > 0 ? `hidden from ${hiddenFrom.join(', ')}` : 'caught by each requirement that it names'
}

/** A filter that shows one status only. */
interface Choice {
  readonly id: string
  readonly label: string
}

/**
 * Radio buttons `show-<id>` that the style sheet reads, so that the page needs no script; the first
 * one shows everything.
 */
function renderFilter(name: string, choices: readonly Choice[]): Html {
  const buttons = [{ id: 'all', label: 'all' }, ...choices].map(
    ({ id, label }) =>
      html`<label><input type="radio" name="${name}" id="show-${id}"${id === 'all' && html` checked`}> ${label}</label> `,
  )
  return html`<fieldset class="filter"><legend>Show</legend>${buttons}</fieldset>`
}
