import { type Html, html } from './template.ts'

/** A filter that shows one status only. */
interface Choice {
  readonly id: string
  readonly label: string
}

/**
 * Radio buttons `show-<id>` that the style sheet reads, so that the page needs no script; the first
 * one shows everything.
 */
export function renderFilter(name: string, choices: readonly Choice[]): Html {
  const buttons = [{ id: 'all', label: 'all' }, ...choices].map(
    ({ id, label }) =>
      html`<label><input type="radio" name="${name}" id="show-${id}"${id === 'all' && html` checked`}> ${label}</label> `,
  )
  return html`<fieldset class="filter"><legend>Show</legend>${buttons}</fieldset>`
}
