import { type Html, html } from '../../../reports/html/template.ts'
import { plural } from '../../../reports/phrases.ts'
import type { Kill } from '../document.ts'
import { killLabels } from '../verdicts.ts'

/** A sign next to each label, so that a verdict does not depend on colour, and the colour of the report. */
const signs: Readonly<Record<Kill, readonly [sign: string, colour: string]>> = {
  survived: ['✕', 'failed'],
  'killed-by-others': ['✕', 'failed'],
  'killed-by-some': ['✕', 'failed'],
  hidden: ['–', 'blocked'],
  'killed-by-all': ['✓', 'passed'],
}

/** The verdict on a defect, coloured unless it only names a row without entries. */
export function killBadge(kill: Kill, coloured = true): Html {
  const [sign, colour] = signs[kill]
  return html`<span class="status${coloured && ` ${colour}`}"><span aria-hidden="true">${sign}</span> ${killLabels[kill]}</span>`
}

/** Whether a law holds. */
export function lawBadge(against: number): Html {
  return against === 0
    ? html`<span class="status passed"><span aria-hidden="true">✓</span> holds</span>`
    : html`<span class="status failed"><span aria-hidden="true">✕</span> ${plural(against, 'violation')}</span>`
}
