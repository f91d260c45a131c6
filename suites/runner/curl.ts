import type { Step } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { keyVariations, wrongKeyLabel } from '../session/wrong-keys.ts'

/** A shell command that sends the request again, with the key as a variable; null for bytes that curl cannot send. */
export function toCurl(exchange: Exchange | undefined, keyVariable = 'TCK_API_KEY'): string | null {
  if (exchange === undefined || exchange.request.method === 'RAW') return null
  const { method, url, headers, body } = exchange.request
  const parts = [
    'curl -i',
    method === 'HEAD' ? '--head' : `-X ${method}`,
    ...headers.map(([name, value]) => `-H ${headerArgument(name, value, keyVariable)}`),
    ...(body === null ? [] : [`--data-binary ${quote(body)}`]),
    quote(url),
  ]
  return parts.join(' ')
}

/** A shell script that takes the steps again; null where there are none. */
export function toScript(steps: readonly Step[]): string | null {
  const lines = steps.map((step) => (typeof step === 'string' ? `# ${step}` : toCurl(step)))
  return lines.length === 0 ? null : lines.filter((line) => line !== null).join('\n')
}

/** What the recorder shows instead of wrong keys, and how a shell makes them of the key. */
const wrongKeyShells = new Map(keyVariations.map(({ name, shell }) => [wrongKeyLabel(name), shell]))

function headerArgument(name: string, value: string, keyVariable: string): string {
  const header = `${name}: ${value}`
  const escaped = header.replace(/[\\"`$]/g, '\\$&')
  const filled = escaped.replace(/\[redacted\](?=(\w?))|\[wrong key: [^\]]*\]/g, (label, next) => {
    const shell = wrongKeyShells.get(label) ?? (next ? `$\{KEY}` : '$KEY')
    return shell.replaceAll('KEY', keyVariable)
  })
  return filled === escaped ? quote(header) : `"${filled}"`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
