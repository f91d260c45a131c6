import { visible } from '../visible.ts'

/** Markup that may go into a page as it is. Text becomes markup only through {@link html}. */
export interface Html {
  readonly markup: string
}

type Value = string | number | Html | null | false | readonly Value[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Markup from a template. Every value is escaped, for text and for quoted attributes alike, unless
 * it is markup itself; `null` and `false` leave nothing.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = strings.map((string, index) => string + markupOf(values[index] ?? null))
  return { markup: parts.join('') }
}

/** Markup of the kit's own that is no template, such as a style sheet. Never for text of a target. */
export function trusted(markup: string): Html {
  return { markup }
}

function markupOf(value: Value): string {
  if (value === null || value === false) return ''
  if (typeof value === 'string') return visible(value).replace(/[&<>"']/g, (character) => entities[character] ?? '')
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(markupOf).join('')
}
