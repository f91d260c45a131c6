import { formatDuration } from '../phrases.ts'
import type { ReportedCheck, ReportedRequirement } from '../report.ts'
import { renderExchanges } from './exchange.ts'
import { statusBadge } from './status.ts'
import { type Html, html } from './template.ts'

/** A requirement, with its consequence and checks folded away. */
export function renderRequirement(requirement: ReportedRequirement, open: boolean): Html {
  const { id, status, consequence, checks } = requirement
  return html`<details class="requirement ${status}" id="${id}" data-status="${status}"${open && html` open`}>
<summary>${renderHeadline(requirement)}</summary>
<div class="inside"><p><b>If broken:</b> ${consequence}</p>
${failedFirst(checks).map(renderCheck)}</div>
</details>
`
}

/** A link to the full entry of the requirement. */
export function renderPointer(requirement: ReportedRequirement): Html {
  return html`<a class="requirement pointer ${requirement.status}" href="#${requirement.id}" data-status="${requirement.status}">${renderHeadline(requirement)}</a>
`
}

function renderHeadline(requirement: ReportedRequirement): Html {
  const { id, clause, level, statement, status } = requirement
  const reason = reasonNotJudged(requirement)
  return html`${statusBadge(status)} <span class="headline">${statement} <small><code>${id}</code> clause ${clause}, ${level}</small>${reason !== null && html`<small>Reason: ${reason}</small>`}</span>`
}

/** The reason is shown without opening the requirement. */
function reasonNotJudged({ status, reason, checks }: ReportedRequirement): string | null {
  if (status === 'passed' || status === 'failed') return null
  const unjudged = status === 'partly-judged' ? 'out-of-scope' : status
  return reason ?? checks.find((check) => check.status === unjudged)?.message ?? null
}

function failedFirst(checks: readonly ReportedCheck[]): ReportedCheck[] {
  return checks.toSorted((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'))
}

function renderCheck(check: ReportedCheck): Html {
  const { id, title, status, durationMs, message, explainedBy, curl, exchanges, exchangesOmitted } = check
  return html`<div class="check" id="${id}"><p class="title">${statusBadge(status)} <span><b>${id}</b> ${title}${durationMs > 0 && html` <small>${formatDuration(durationMs)}</small>`}</span></p>
${message !== null && html`<p class="message">${message}</p>`}${explainedBy !== undefined && html`<p class="note">Explained by <code>${explainedBy.join(', ')}</code></p>`}${renderComparison(check)}${curl !== null && html`<figure class="curl"><figcaption>Reproduce</figcaption><pre>${curl}</pre></figure>`}${renderExchanges(exchanges, exchangesOmitted)}</div>
`
}

function renderComparison({ expected, actual }: ReportedCheck): Html | null {
  if (expected === null && actual === null) return null
  const side = (name: string, text: string | null) =>
    html`<figure class="${name.toLowerCase()}"><figcaption>${name}</figcaption><pre>${text ?? 'not recorded'}</pre></figure>`
  return html`<div class="pair">${side('Expected', expected)}${side('Actual', actual)}</div>`
}
