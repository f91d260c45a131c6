import { STATUS_CODES } from 'node:http'

/** The head of a response that is written directly to the socket, with the final empty line. */
export function responseHead(
  status: number,
  fields: Readonly<Record<string, string | number>>,
  phrase: string = STATUS_CODES[status] ?? 'Unknown',
): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${phrase}\r\n${lines.join('')}\r\n`
}
