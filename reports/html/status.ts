import { statusLabels, statusSigns } from '../phrases.ts'
import type { RequirementStatus } from '../requirement-status.ts'
import { type Html, html } from './template.ts'

/** A status as a sign with its word. */
export function statusBadge(status: RequirementStatus): Html {
  return html`<span class="status ${status}"><span aria-hidden="true">${statusSigns[status]}</span> ${statusLabels[status]}</span>`
}
