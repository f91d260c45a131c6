import { type Address, post } from './raw-request.ts'

/**
 * Malformed bytes that cannot create a rule, most of them because `body` lacks a field. Any response is allowed
 * if the server keeps working.
 */
export interface Attack {
  readonly name: string
  readonly bytes: (to: Address, body: string) => Buffer
}

const lengths = (name: string, ...headers: readonly ((length: number) => string)[]): Attack => ({
  name: `a Content-Length that is ${name}`,
  bytes: (to, body) =>
    post(
      to,
      body,
      headers.map((header) => `Content-Length: ${header(Buffer.byteLength(body))}`),
    ),
})

export const lengthAttacks: readonly Attack[] = [
  lengths('negative', () => '-1'),
  lengths('not a number', () => 'all'),
  lengths('hexadecimal', (length) => `0x${length.toString(16)}`),
  lengths('followed by a letter', (length) => `${length}x`),
  lengths('signed', (length) => `+${length}`),
  lengths('empty', () => ''),
  lengths('2^63', () => '9223372036854775808'),
  lengths('correct only modulo 2^32', (length) => String(2 ** 32 + length)),
  lengths('correct only modulo 2^64', (length) => String(2n ** 64n + BigInt(length))),
  lengths(
    'sent twice with different values',
    (length) => String(length),
    () => '3',
  ),
  lengths('a list of two different values', (length) => `${length}, 3`),
  lengths('too short', () => '5'),
  { name: 'no Content-Length', bytes: (to, body) => post(to, body, []) },
]

const chunks = (name: string, frame: (body: string) => string, headers = ['Transfer-Encoding: chunked']): Attack => ({
  name,
  bytes: (to, body) => post(to, frame(body), headers),
})

const size = (body: string) => Buffer.byteLength(body).toString(16)
const chunk = (body: string) => `${size(body)}\r\n${body}\r\n`
const end = '0\r\n\r\n'

export const chunkAttacks: readonly Attack[] = [
  chunks('a chunk size that is not a number', (body) => `size\r\n${body}\r\n${end}`),
  chunks('a negative chunk size', (body) => `-1\r\n${body}\r\n${end}`),
  chunks('an empty chunk size', (body) => `\r\n${body}\r\n${end}`),
  chunks('a 64-bit chunk size', (body) => `ffffffffffffffff\r\n${body}\r\n${end}`),
  chunks(
    'a chunk size that is correct only modulo 2^64',
    (body) => `1${size(body).padStart(16, '0')}\r\n${body}\r\n${end}`,
  ),
  chunks('a 16,000-digit chunk size', (body) => `${size(body).padStart(16_000, '0')}\r\n${body}\r\n${end}`),
  chunks('a chunk that is shorter than its size', (body) => `${(body.length + 9).toString(16)}\r\n${body}\r\n${end}`),
  chunks('a chunk without a line break after it', (body) => `${size(body)}\r\n${body}${end}`),
  chunks('a 16,000-character chunk extension', (body) => `${size(body)};a=${'x'.repeat(16_000)}\r\n${body}\r\n${end}`),
  chunks('chunks without a last chunk', (body) => chunk(body)),
  chunks('chunks with a Content-Length', (body) => chunk(body) + end, [
    'Content-Length: 4',
    'Transfer-Encoding: chunked',
  ]),
  chunks('a repeated chunked coding', (body) => chunk(body) + end, ['Transfer-Encoding: chunked, chunked']),
  chunks('an unknown transfer coding', (body) => body, ['Transfer-Encoding: tck']),
]

const header = (name: string, ...lines: readonly string[]): Attack => ({
  name,
  bytes: ({ address, key }) =>
    Buffer.from(
      [
        `GET ${address.prefix}/api/status HTTP/1.1`,
        `Host: ${address.host}`,
        `X-API-Key: ${key}`,
        ...lines,
        '',
        '',
      ].join('\r\n'),
      'latin1',
    ),
})

export const headerAttacks: readonly Attack[] = [
  header('a thousand headers', ...Array.from({ length: 1_000 }, (_, at) => `X${at}: 1`)),
  header('a thousand headers with the same name', ...Array.from({ length: 1_000 }, () => 'X-Same: 1')),
  header('an 8,000-character header name', `${'x'.repeat(8_000)}: 1`),
  header('a header without a colon', 'no-colon'),
  header('a header without a name', ': nameless'),
  header('a space before the colon', 'X-Space : 1'),
  header('a folded header', 'X-Folded: 1', ' 2'),
  header('a NUL in a header', 'X-Nul: a\0b'),
  header('a lone CR in a header', 'X-Cr: a\rb'),
  header('a lone LF after a header', 'X-Lf: a\nX-Next: b'),
  header('bytes above 127 in a header', 'X-High: \xff\xfe'),
  header('a second Host', 'Host: elsewhere'),
  header('a 64 KiB header', `X-Long: ${'x'.repeat(65_536)}`, 'Connection: close'),
]

const line = (name: string, bytes: (to: Address) => string): Attack => ({
  name,
  bytes: (to) => Buffer.from(bytes(to), 'latin1'),
})

const fields = ({ address, key }: Address) => `Host: ${address.host}\r\nX-API-Key: ${key}\r\n\r\n`

export const requestLineAttacks: readonly Attack[] = [
  line('HTTP/0.9', ({ address }) => `GET ${address.prefix}/api/status\r\n`),
  line(
    'HTTP/1.0 without a Host',
    ({ address, key }) => `GET ${address.prefix}/api/status HTTP/1.0\r\nX-API-Key: ${key}\r\n\r\n`,
  ),
  line(
    'a query of 2,000 characters',
    (to) => `GET ${to.address.prefix}/api/status?${'x'.repeat(2_000)} HTTP/1.1\r\n${fields(to)}`,
  ),
  line('the HTTP/2 preface', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
  line('a version without a minor number', (to) => `GET ${to.address.prefix}/api/status HTTP/1\r\n${fields(to)}`),
  line('a lower-case method', (to) => `get ${to.address.prefix}/api/status HTTP/1.1\r\n${fields(to)}`),
  line(
    'an 8,000-letter method',
    (to) => `${'G'.repeat(8_000)} ${to.address.prefix}/api/status HTTP/1.1\r\n${fields(to)}`,
  ),
  line(
    'an absolute target',
    (to) => `GET http://${to.address.host}${to.address.prefix}/api/status HTTP/1.1\r\n${fields(to)}`,
  ),
  line('an asterisk as the target', (to) => `OPTIONS * HTTP/1.1\r\n${fields(to)}`),
  line('no target', (to) => `GET HTTP/1.1\r\n${fields(to)}`),
  line('a target with a NUL', (to) => `GET ${to.address.prefix}/api/\0status HTTP/1.1\r\n${fields(to)}`),
  line('format strings in the target', (to) => `GET ${to.address.prefix}/api/%s%s%n%n HTTP/1.1\r\n${fields(to)}`),
  line('tabs instead of spaces', (to) => `GET\t${to.address.prefix}/api/status\tHTTP/1.1\r\n${fields(to)}`),
  line(
    'line breaks without CR',
    (to) => `GET ${to.address.prefix}/api/status HTTP/1.1\n${fields(to).replaceAll('\r\n', '\n')}`,
  ),
]

const noise = (name: string, bytes: Buffer | string): Attack => ({ name, bytes: () => Buffer.from(bytes) })

export const noiseAttacks: readonly Attack[] = [
  noise('512 zeros', Buffer.alloc(512)),
  noise('a TLS hello', Buffer.from('16030100c8010000c40303', 'hex')),
  noise('two line breaks', '\r\n\r\n'),
  noise('half a request line', 'GET /api/status'),
  noise('an unknown version', 'POST /api/rules HTTP/9.9\r\n\r\n'),
]
