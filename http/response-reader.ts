import { HTTPParser } from 'http-parser-js'

/** A response as received, before any decoding. */
export interface ReceivedResponse {
  readonly status: number
  readonly reason: string
  /** In order; repeated names stay separate. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  /** Whether the server closes the connection after it: because of a header, of HTTP/1.0, or to end the body. */
  readonly closes: boolean
}

/**
 * Calls back for each complete response. Interim ones (1xx) are skipped, except 101, which ends HTTP/1.1 (RFC 9110,
 * 15.2.2). The reader returns false for bytes that are not HTTP. Null is the end of the connection, which completes a
 * response without a length. A body longer than `longestBody` completes one too, and nothing more is read.
 */
export function createResponseReader(
  onResponse: (response: ReceivedResponse) => void,
  { isHead = (): boolean => false, longestBody = Number.POSITIVE_INFINITY } = {},
): (chunk: Buffer | null) => boolean {
  const parser = new HTTPParser(HTTPParser.RESPONSE)
  let head: Omit<ReceivedResponse, 'body'> = { status: 0, reason: '', headers: [], closes: false }
  let chunks: Buffer[] = []
  let left = longestBody
  parser[HTTPParser.kOnHeadersComplete] = ({ statusCode, statusMessage, headers, versionMinor }) => {
    const received = pairs(headers)
    head = { status: statusCode, reason: statusMessage, headers: received, closes: saysClose(received, versionMinor) }
    chunks = []
    left = longestBody
    // 1 tells the parser that no body follows.
    return isHead() ? 1 : 0
  }
  const complete = () => {
    if (head.status >= 200 || head.status === 101) onResponse({ ...head, body: Buffer.concat(chunks) })
  }
  parser[HTTPParser.kOnBody] = (chunk, offset, length) => {
    if (left < 0) return
    left -= length
    chunks.push(chunk.subarray(offset, offset + length))
    if (left < 0) complete()
  }
  parser[HTTPParser.kOnMessageComplete] = () => {
    if (left >= 0) complete()
  }
  return (chunk) => {
    if (left < 0) return false
    if (chunk === null) head = { ...head, closes: true }
    const result = chunk === null ? parser.finish() : parser.execute(chunk)
    return left >= 0 && !(result instanceof Error)
  }
}

function saysClose(headers: ReceivedResponse['headers'], versionMinor: number): boolean {
  const options = headers.flatMap(([name, value]) => (name.toLowerCase() === 'connection' ? value.toLowerCase() : []))
  if (options.some((option) => option.includes('close'))) return true
  return versionMinor === 0 && !options.some((option) => option.includes('keep-alive'))
}

function pairs(flat: readonly string[]): ReceivedResponse['headers'] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ''] as const] : []))
}
