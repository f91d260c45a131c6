import type { Exchange } from './outcome.ts'

/** A shell command that sends the request again, with the key as `$TCK_API_KEY`; null for bytes that curl cannot send. */
export function toCurl(exchange: Exchange | undefined): string | null {
  if (exchange === undefined || exchange.request.method === 'RAW') return null
  const { method, url, headers, body } = exchange.request
  const parts = [
    'curl -i',
    method === 'HEAD' ? '--head' : `-X ${method}`,
    ...headers.map(([name, value]) => `-H ${headerArgument(name, value)}`),
    ...(body === null ? [] : [`--data-binary ${quote(body)}`]),
    quote(url),
  ]
  return parts.join(' ')
}

function headerArgument(name: string, value: string): string {
  const shown = value.replace('[redacted]', '$TCK_API_KEY')
  return shown === value ? quote(`${name}: ${value}`) : `"${name}: ${shown}"`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
