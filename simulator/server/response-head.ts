import { STATUS_CODES } from 'node:http'

/** The head of an answer that is written by hand, with the empty line that ends it. `phrase` stands behind the status. */
export function responseHead(
  status: number,
  fields: Readonly<Record<string, string | number>>,
  phrase: string = STATUS_CODES[status] ?? 'Unknown',
): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${phrase}\r\n${lines.join('')}\r\n`
}
