import type { Status } from '../../suites/runner/outcome.ts'
import { statusWords } from '../wording.ts'
import { type Html, html } from './template.ts'

/** A sign beside the word, so that neither colour nor reading is needed alone. */
const signs: Readonly<Record<Status, string>> = {
  failed: '✕',
  error: '!',
  blocked: '■',
  passed: '✓',
  'out-of-scope': '–',
  'not-applicable': '·',
}

/** A status as a sign with its word, coloured unless it only names a row without entries. */
export function statusBadge(status: Status, coloured = true): Html {
  return html`<span class="status${coloured && ` ${status}`}"><span aria-hidden="true">${signs[status]}</span> ${statusWords[status]}</span>`
}
