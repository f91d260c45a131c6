import type { Verdict } from '../report.ts'
import { readStyle } from './assets.ts'
import { renderNavigation, renderSection, type Section } from './section.ts'
import { renderShell } from './shell.ts'
import { tableStyle } from './table.ts'
import { type Html, html } from './template.ts'

/** A page of tables. */
export interface TablePage {
  readonly title: string
  /** The verdict whose colour the head of the page takes. */
  readonly look: Verdict
  readonly kit: { readonly name: string; readonly version: string; readonly requirementsVersion: string }
  readonly heading: string
  /** What stands below the heading, a paragraph each. */
  readonly lines: readonly string[]
  readonly sections: readonly Section[]
  /** Other files with the same content; null for none. */
  readonly otherForms: Html | null
}

/** A page without scripts: a heading, and sections with tables. */
export function renderTablePage({ title, look, kit, heading, lines, sections, otherForms }: TablePage): string {
  return renderShell({
    title,
    style: readStyle() + tableStyle,
    banner: html`<header class="banner ${look}">
<p class="kit">${kit.name} ${kit.version}, requirements ${kit.requirementsVersion}</p>
<h1>${heading}</h1>
${lines.map((line) => html`<p>${line}</p>`)}
</header>`,
    navigation: renderNavigation('Sections of this page', sections),
    results: html`${sections.map(renderSection)}`,
    kit,
    otherForms,
  })
}
