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

/** A shell script that repeats the steps, with overlapping requests in the background; null if there are none. */
export function toScript(steps: readonly Step[], keyVariable?: string): string | null {
  const lines = steps.flatMap((step, at) => {
    if (typeof step === 'string') return [`# ${step}`]
    const command = toCurl(step, keyVariable) ?? `# raw bytes: ${firstLine(step)}`
    if (overlap(step, steps[at + 1])) return [`${command} &`]
    return overlap(steps[at - 1], step) ? [command, 'wait'] : [command]
  })
  return lines.length === 0 ? null : lines.join('\n')
}

/** Whether the second of two requests, in the order of their ends, began before the first ended. */
function overlap(one: Step | undefined, other: Step | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return false
  // Starts are recorded only to the millisecond.
  return Date.parse(other.startedAt) + 1 < Date.parse(one.startedAt) + one.durationMs
}

function firstLine({ request }: Exchange): string {
  return request.body?.split(/[\r\n]/, 1)[0] ?? ''
}

/** The labels that replace wrong keys in records, and how a shell derives these keys from the right one. */
const wrongKeyShells = new Map(keyVariations.map(({ name, shell }) => [wrongKeyLabel(name), shell]))

// Launched servers have numbered keys. With `--keep-server` they have the key itself.
function headerArgument(name: string, value: string, keyVariable: string): string {
  const header = `${name}: ${value}`
  const escaped = header.replace(/[\\"`$]/g, '\\$&')
  const filled = escaped.replace(/\[redacted\](?:-\d+)?(?=(\w?))|\[wrong key: [^\]]*\]/g, (label, next) => {
    const shell = wrongKeyShells.get(label) ?? (next ? `$\{KEY}` : '$KEY')
    return shell.replaceAll('KEY', keyVariable)
  })
  return filled === escaped ? quote(header) : `"${filled}"`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
