import { type Address, chunked, get, lastOne, post } from './raw-request.ts'

/** Malformed bytes that cannot create a rule, most of them because `body` lacks a field. Any response is allowed. */
export interface MalformedRequest {
  readonly name: string
  readonly bytes: (to: Address, body: string) => Buffer
}

/** Creates one request from each row: its name, and the arguments of `bytes`. */
function malformedRequests<What>(
  rows: Readonly<Record<string, What>>,
  bytes: (what: What, to: Address, body: string) => Buffer | string,
): readonly MalformedRequest[] {
  return Object.entries(rows).map(([name, what]) => ({
    name,
    bytes: (to, body) => Buffer.from(bytes(what, to, body) as string, 'latin1'),
  }))
}

const lengths: Readonly<Record<string, (length: number) => string | readonly string[]>> = {
  negative: () => '-1',
  'not a number': () => 'all',
  hexadecimal: (length) => `0x${length.toString(16)}`,
  'followed by a letter': (length) => `${length}x`,
  signed: (length) => `+${length}`,
  empty: () => '',
  '2^63': () => '9223372036854775808',
  'correct only modulo 2^32': (length) => String(2 ** 32 + length),
  'correct only modulo 2^64': (length) => String(2n ** 64n + BigInt(length)),
  'sent twice with different values': (length) => [String(length), '3'],
  'a list of two different values': (length) => `${length}, 3`,
  'too short': () => '5',
}

const badLengths: readonly MalformedRequest[] = [
  ...malformedRequests(lengths, (lengthFor, to, body) => {
    const values = [lengthFor(Buffer.byteLength(body))].flat()
    return post(
      to,
      body,
      values.map((length) => `Content-Length: ${length}`),
    )
  }).map(({ name, bytes }) => ({ name: `a Content-Length that is ${name}`, bytes })),
  { name: 'no Content-Length', bytes: (to, body) => post(to, body, []) },
]

const size = (body: string) => Buffer.byteLength(body).toString(16)
const chunk = (body: string, ofSize = size(body)) => `${ofSize}\r\n${body}\r\n`
const end = '0\r\n\r\n'

const badChunks: readonly MalformedRequest[] = [
  ...malformedRequests<(body: string) => string>(
    {
      'a chunk size that is not a number': (body) => chunk(body, 'size') + end,
      'a negative chunk size': (body) => chunk(body, '-1') + end,
      'an empty chunk size': (body) => chunk(body, '') + end,
      'a 64-bit chunk size': (body) => chunk(body, 'ffffffffffffffff') + end,
      'a chunk size that is correct only modulo 2^64': (body) => chunk(body, `1${size(body).padStart(16, '0')}`) + end,
      'a 16,000-digit chunk size': (body) => chunk(body, size(body).padStart(16_000, '0')) + end,
      'a chunk that is shorter than its size': (body) => chunk(body, (body.length + 9).toString(16)) + end,
      'a chunk without a line break after it': (body) => `${size(body)}\r\n${body}${end}`,
      'a 16,000-character chunk extension': (body) => chunk(body, `${size(body)};a=${'x'.repeat(16_000)}`) + end,
      'chunks without a last chunk': (body) => chunk(body),
    },
    (frame, to, body) => post(to, frame(body), chunked),
  ),
  ...malformedRequests<readonly string[]>(
    {
      'chunks with a Content-Length': ['Content-Length: 4', ...chunked],
      'a repeated chunked coding': ['Transfer-Encoding: chunked, chunked'],
    },
    (headers, to, body) => post(to, chunk(body) + end, headers),
  ),
  { name: 'an unknown transfer coding', bytes: (to, body) => post(to, body, ['Transfer-Encoding: tck']) },
]

const thousand = Array.from({ length: 1_000 }, (_, at) => at)

const badHeaders = malformedRequests<readonly string[]>(
  {
    'a thousand headers': thousand.map((at) => `X${at}: 1`),
    'a thousand headers with the same name': thousand.map(() => 'X-Same: 1'),
    'an 8,000-character header name': [`${'x'.repeat(8_000)}: 1`],
    'a header without a colon': ['no-colon'],
    'a header without a name': [': nameless'],
    'a space before the colon': ['X-Space : 1'],
    'a folded header': ['X-Folded: 1', ' 2'],
    'a NUL in a header': ['X-Nul: a\0b'],
    'a lone CR in a header': ['X-Cr: a\rb'],
    'a lone LF after a header': ['X-Lf: a\nX-Next: b'],
    'bytes above 127 in a header': ['X-High: \xff\xfe'],
    'a second Host': ['Host: elsewhere'],
    'a 64 KiB header': [`X-Long: ${'x'.repeat(65_536)}`, ...lastOne],
  },
  (headers, to) => get(to, '/api/status', headers).toString(),
)

const key = '\r\nX-API-Key: <key>\r\n\r\n'
const fields = `\r\nHost: <host>${key}`

/** Request lines with their headers, and placeholders for the address and the key. */
const badRequestLines = malformedRequests<string>(
  {
    'HTTP/0.9': 'GET <prefix>/api/status\r\n',
    'HTTP/1.0 without a Host': `GET <prefix>/api/status HTTP/1.0${key}`,
    'a query of 2,000 characters': `GET <prefix>/api/status?${'x'.repeat(2_000)} HTTP/1.1${fields}`,
    'the HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
    'a version without a minor number': `GET <prefix>/api/status HTTP/1${fields}`,
    'a lower-case method': `get <prefix>/api/status HTTP/1.1${fields}`,
    'an 8,000-letter method': `${'G'.repeat(8_000)} <prefix>/api/status HTTP/1.1${fields}`,
    'an absolute target': `GET http://<host><prefix>/api/status HTTP/1.1${fields}`,
    'an asterisk as the target': `OPTIONS * HTTP/1.1${fields}`,
    'no target': `GET HTTP/1.1${fields}`,
    'a target with a NUL': `GET <prefix>/api/\0status HTTP/1.1${fields}`,
    'format strings in the target': `GET <prefix>/api/%s%s%n%n HTTP/1.1${fields}`,
    'tabs instead of spaces': `GET\t<prefix>/api/status\tHTTP/1.1${fields}`,
    'line breaks without CR': `GET <prefix>/api/status HTTP/1.1${fields.replaceAll('\r\n', '\n')}`,
  },
  (text, { address, key }) => {
    const places = { '<prefix>': address.prefix, '<host>': address.host, '<key>': key }
    return Object.entries(places).reduce((filled, [name, value]) => filled.replaceAll(name, () => value), text)
  },
)

const nonHttpBytes = malformedRequests<Buffer | string>(
  {
    '512 zeros': Buffer.alloc(512),
    'a TLS hello': Buffer.from('16030100c8010000c40303', 'hex'),
    'two line breaks': '\r\n\r\n',
    'half a request line': 'GET /api/status',
    'an unknown version': 'POST /api/rules HTTP/9.9\r\n\r\n',
  },
  (bytes) => bytes,
)

export const malformed = {
  lengths: badLengths,
  chunks: badChunks,
  headers: badHeaders,
  requestLines: badRequestLines,
  otherBytes: nonHttpBytes,
}
