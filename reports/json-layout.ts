/** Wide enough to show each rule on one line. */
const lineWidth = 120
const deepest = 40

interface Container {
  readonly open: string
  readonly items: Item[]
  close: string
}
/** One member or element: its name with the colon, if any, and its value with the original spelling. */
interface Item {
  label: string
  value: string | Container
}

/**
 * JSON formatted for reading, or null if the text is not JSON. Changes only white space, since numbers beyond 2^53,
 * repeated members and spellings such as `9e8` must be visible.
 */
export function layOutJson(text: string): string | null {
  if (!isJson(text)) return null
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? []
  const tree = nest(tokens)
  return tree === null ? text : layOut(tree, 0, '')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The tokens as a tree, or null if it is too deep to be readable. */
function nest(tokens: readonly string[]): Item | null {
  const root: Container = { open: '', items: [], close: '' }
  const stack = [root]
  let fresh = true
  for (const token of tokens) {
    const container = stack.at(-1) ?? root
    const last = container.items.at(-1)
    if (token === ',') fresh = true
    else if (token === ':' && last) last.label = `${String(last.value)}: `
    else if (token === ']' || token === '}') {
      container.close = token
      stack.pop()
      fresh = false
    } else {
      const value = token === '[' || token === '{' ? { open: token, items: [], close: '' } : token
      if (last && !fresh) last.value = value
      else container.items.push({ label: '', value })
      fresh = typeof value !== 'string'
      if (typeof value !== 'string') stack.push(value)
      if (stack.length > deepest) return null
    }
  }
  return root.items[0] ?? null
}

function layOut({ label, value }: Item, indent: number, comma: string): string {
  const space = ' '.repeat(indent)
  const line = `${space}${label}${inline(value)}${comma}`
  if (typeof value === 'string' || (line.length <= lineWidth && !holdsContainers(value))) return line
  const last = value.items.length - 1
  const items = value.items.map((item, index) => layOut(item, indent + 2, index === last ? '' : ','))
  return `${space}${label}${value.open}\n${items.join('\n')}\n${space}${value.close}${comma}`
}

function inline(value: string | Container): string {
  if (typeof value === 'string') return value
  const items = value.items.map((item) => `${item.label}${inline(item.value)}`).join(', ')
  return value.open === '{' && items !== '' ? `{ ${items} }` : `${value.open}${items}${value.close}`
}

function holdsContainers({ items }: Container): boolean {
  return items.some(({ value }) => typeof value !== 'string' && value.items.length > 0)
}
