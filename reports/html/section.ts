import { type Html, html } from './template.ts'

/** A section of a page, with a link in the navigation. */
export interface Section {
  readonly id: string
  readonly title: string
  /** A count next to the title; null for none. */
  readonly count: number | string | null
  readonly content: Html
}

/** Links to the sections; `label` says what they are parts of. */
export function renderNavigation(label: string, sections: readonly Section[]): Html {
  const links = sections.map((section) => html`<a href="#part-${section.id}">${heading(section)}</a> `)
  return html`<nav aria-label="${label}">${links}</nav>`
}

export function renderSection(section: Section): Html {
  const { id, content } = section
  return html`<section id="part-${id}" aria-labelledby="title-${id}"><h2 id="title-${id}">${heading(section)}</h2>
${content}</section>
`
}

function heading({ title, count }: Section): Html {
  return html`${title}${count !== null && html` <small>${count}</small>`}`
}
