import { type Address, asHttp10, type ChunkStyle, inChunks } from './raw-request.ts'
import type { Session } from './session.ts'

/** Forms of a request (RFC 9112, sections 2.3 and 3.2.2) that a server may handle in another place. */
export const requestForms: Readonly<Record<string, (request: Buffer, address: Address['address']) => Buffer>> = {
  'the URL as the target': (request, { origin }) => Buffer.from(request.toString().replace(' /', ` ${origin}/`)),
  'HTTP/1.0': asHttp10,
}

export interface ChunkedForm extends ChunkStyle {
  /** The number of bytes in a chunk. */
  readonly length: number
  /** Default: `Transfer-Encoding: chunked`. */
  readonly header?: string
}

/** Forms of a chunked body (RFC 9112, sections 7 and 7.1) that a parser for the usual one may overlook. */
export const chunkedForms: Readonly<Record<string, ChunkedForm>> = {
  'of forty bytes': { length: 40 },
  'of nine bytes': { length: 9 },
  'with a zero in front of the size': { length: 40, size: (hexadecimal) => `0${hexadecimal}` },
  'with a size in upper case': { length: 0x2b, size: (hexadecimal) => hexadecimal.toUpperCase() },
  'with an extension': { length: 40, size: (hexadecimal) => `${hexadecimal};note="a;b"` },
  'with a trailer': { length: 40, trailer: 'X-Note: end\r\n' },
  'with its header in lower case': { length: 40, header: 'transfer-encoding: chunked' },
  'with the coding in another case': { length: 40, header: 'Transfer-Encoding: Chunked' },
}

export function inForm(body: string, { length, ...style }: ChunkedForm): string {
  return inChunks(body.match(new RegExp(`.{1,${length}}`, 'g')) ?? [], style)
}

const browserHeaders = ['Accept: */*', 'Accept-Language: en-GB,en;q=0.5', 'User-Agent: Mozilla/5.0 (X11; Linux x86_64)']

/** Heads as other HTTP libraries write them. */
export const heads: Readonly<Record<string, (request: string) => string>> = {
  'header names in lower case': withNames((name) => name.toLowerCase()),
  'header names in upper case': withNames((name) => name.toUpperCase()),
  'headers in reverse order': (request) => {
    const [head = '', body] = request.split('\r\n\r\n')
    const [requestLine, ...headers] = head.split('\r\n')
    return [requestLine, ...headers.toReversed(), '', body].join('\r\n')
  },
  'the headers of a browser': (request) => request.replace('\r\n\r\n', `\r\n${browserHeaders.join('\r\n')}\r\n\r\n`),
}

function withNames(respell: (name: string) => string): (request: string) => string {
  return (request) => request.replace(/^[\w-]+(?=: )/gm, respell)
}

const spacedHeaders = {
  'no space in front of': '$1:$2',
  'two spaces in front of': '$1:  $2',
  'a tab in front of': '$1:\t$2',
  'a trailing space in': '$1: $2 ',
}

/** Requests with other white space around the values of its headers, which is not part of them (RFC 9110, section 5.5). */
export function spacedForms(
  request: () => Buffer,
  { owned }: Pick<Session, 'owned'>,
): readonly (readonly [string, Buffer])[] {
  // nginx, which may be in front of a running server, rejects a tab.
  const forms = Object.entries(spacedHeaders).filter(([what]) => owned || !what.startsWith('a tab'))
  const written = (form: string) => Buffer.from(`${request()}`.replace(/^([\w-]+): (.*)$/gm, form))
  return forms.map(([what, form]) => [`${what} each value`, written(form)])
}
