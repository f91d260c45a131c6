const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Control characters except line feeds and tabs, half surrogate pairs, noncharacters, and characters that reverse the
 * direction of the following text, so that a line looks different from its content.
 */
const harmful = /(?![\n\t])[\p{Cc}\p{Cs}\ufffe\uffff\u202a-\u202e\u2066-\u2069]/gu

/** Escapes (as in `\u001b`) what could move a cursor, change the reading direction or make XML invalid. */
export function visible(text: string): string {
  // Most texts are ASCII, for which this test is much faster.
  return /^[\n\t\x20-\x7e]*$/.test(text) ? text : text.replace(harmful, escaped)
}

/** The same on one line, with white space collapsed. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim()
}

// Escaped, so that the source shows what it matches.
const unseen = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

const withEscapes = (json: string) => json.replace(unseen, escaped)

/** A value as JSON without literal control characters. */
export function visibleJson(value: unknown, indent: number): string {
  return withEscapes(JSON.stringify(value, null, indent))
}

/** The same with one line for each element of the arrays with this name, since indentation would double the size. */
export function visibleJsonLines(value: unknown, name: 'exchanges' | 'entries' | 'installs'): string {
  const arrays: unknown[][] = []
  const withoutElements = (member: string, held: unknown) => {
    if (member !== name || !Array.isArray(held)) return held
    arrays.push(held)
    return []
  }
  const text = JSON.stringify(value, withoutElements, 1).replaceAll(`"${name}": []`, () => {
    const lines = (arrays.shift() ?? []).map((element) => JSON.stringify(element))
    return `"${name}": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`}]`
  })
  return withEscapes(text)
}
