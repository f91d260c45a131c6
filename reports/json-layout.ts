/** Wide enough to show each rule on one line. */
const lineWidth = 120
const deepest = 40

/**
 * JSON formatted for reading, or null if the text is not JSON. Changes only white space, since numbers beyond 2^53,
 * repeated members and spellings such as `9e8` must be visible.
 */
export function layOutJson(text: string): string | null {
  try {
    JSON.parse(text)
  } catch {
    return null
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? []
  const [first = '', ...rest] = tokens
  return isDeep(tokens) ? text : layOut(first, rest.values(), 0)
}

function isDeep(tokens: readonly string[]): boolean {
  let depth = 0
  return tokens.some((token) => {
    depth += '[{'.includes(token) ? 1 : ']}'.includes(token) ? -1 : 0
    return depth > deepest
  })
}

/** Takes the rest of the tokens of the value. A short container without filled containers stays on one line. */
function layOut(open: string, tokens: Iterator<string>, depth: number): string {
  if (open !== '[' && open !== '{') return open
  const items: string[] = []
  let label = ''
  let isFlat = true
  let token = tokens.next().value
  for (; token !== ']' && token !== '}'; token = tokens.next().value) {
    if (token === ':') label = `${items.pop()}: `
    else if (token !== ',') {
      const value = layOut(token, tokens, depth + 1)
      isFlat &&= value === token || value === '[]' || value === '{}'
      items.push(label + value)
      label = ''
    }
  }
  const space = '  '.repeat(depth)
  const inline = items.join(', ')
  const line = open === '{' && inline !== '' ? `{ ${inline} }` : `${open}${inline}${token}`
  if (isFlat && space.length + line.length <= lineWidth) return line
  return `${open}\n${items.map((item) => `${space}  ${item}`).join(',\n')}\n${space}${token}`
}
