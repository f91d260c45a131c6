import { type Html, html } from '../../../reports/html/template.ts'
import type { DefectRow } from '../document.ts'
import { killBadge } from './badge.ts'

/** A row of the matrix as text: the defect, and the result of every requirement concerned. */
export function renderDefect(defect: DefectRow): Html {
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
