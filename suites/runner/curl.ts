import type { Step } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'

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

function headerArgument(name: string, value: string, keyVariable: string): string {
  // Which wrong key it was would give the right one away; any other wrong key does as well.
  const wrong = value.replaceAll('[wrong key]', 'a-wrong-key')
  const shown = wrong.replaceAll('[redacted]', () => `$${keyVariable}`)
  return shown === wrong ? quote(`${name}: ${wrong}`) : `"${name}: ${shown}"`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
