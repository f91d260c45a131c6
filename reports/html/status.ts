import { statusLabels } from '../phrases.ts'
import type { RequirementStatus } from '../requirement-status.ts'
import { type Html, html } from './template.ts'

/** A sign next to each label, so that a status does not depend on colour. */
const signs: Readonly<Record<RequirementStatus, string>> = {
  failed: '✕',
  error: '!',
  blocked: '■',
  'partly-judged': '◐',
  passed: '✓',
  'out-of-scope': '–',
  'not-applicable': '·',
}

/** A status as a sign with its word, coloured unless it only names a row without entries. */
export function statusBadge(status: RequirementStatus, coloured = true): Html {
  return html`<span class="status${coloured && ` ${status}`}"><span aria-hidden="true">${signs[status]}</span> ${statusLabels[status]}</span>`
}
