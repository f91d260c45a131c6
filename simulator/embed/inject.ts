import { createServer } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { HTTPParser } from 'http-parser-js'
import type { RequestHandler } from '../index.ts'

/** A request that was taken from a client before it reached the network. */
export interface InterceptedRequest {
  readonly method: string
  /** Path and query, e.g. `/api/rules/0`. */
  readonly target: string
  /** Names as sent; a repeated name stands once for each value. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** What the simulator sent back. */
export interface InterceptedResponse {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** The simulator gave no answer, or none that is HTTP; `code` is that of Node for a broken connection. */
export class ConnectionBrokenError extends Error {
  override readonly name = 'ConnectionBrokenError'
  readonly code = 'ECONNRESET'
  readonly hint = 'The simulator is stopped, has crashed or has no API key, or a fault was played on the request.'
}

/** Written by the wire itself, whatever the client said about them. */
const framing = ['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']

/**
 * A way into a request handler without a port: each request goes as bytes through Node's own HTTP
 * server, on a connection inside the process, so that the handler cannot tell the difference.
 */
export function createInjector(handler: RequestHandler): (request: InterceptedRequest) => Promise<InterceptedResponse> {
  const server = createServer(handler)
  return (request) => {
    const [ours, theirs] = duplexPair()
    // A pair does not pass on that one side was destroyed.
    theirs.once('close', () => {
      if (!theirs.writableFinished) ours.destroy()
    })
    server.emit('connection', theirs)
    ours.write(bytesOf(request))
    return readResponse(ours, request.method === 'HEAD')
  }
}

function bytesOf({ method, target, headers, body }: InterceptedRequest): Uint8Array {
  const kept = headers.filter(([name]) => !framing.includes(name.toLowerCase()))
  const hasLength = body.length > 0 || headers.some(([name]) => name.toLowerCase() === 'content-length')
  const length = hasLength ? [['Content-Length', String(body.length)] as const] : []
  const lines = [...kept, ...length, ['Connection', 'close'] as const].map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body])
}

function readResponse(connection: Duplex, isHead: boolean): Promise<InterceptedResponse> {
  return new Promise((resolve, reject) => {
    let head: Omit<InterceptedResponse, 'body'> = { status: 0, headers: [] }
    const chunks: Buffer[] = []
    const parser = new HTTPParser(HTTPParser.RESPONSE)
    parser[HTTPParser.kOnHeadersComplete] = ({ statusCode, headers }) => {
      head = { status: statusCode, headers: pairs(headers) }
      // 1 tells the parser that no body follows.
      return isHead ? 1 : 0
    }
    parser[HTTPParser.kOnBody] = (chunk, offset, length) => {
      chunks.push(Buffer.from(chunk.subarray(offset, offset + length)))
    }
    parser[HTTPParser.kOnMessageComplete] = () => {
      if (head.status >= 200) resolve({ ...head, body: Buffer.concat(chunks) })
    }
    const broken = () => {
      connection.destroy()
      reject(new ConnectionBrokenError('The connection to the simulator was cut off.'))
    }
    connection.on('data', (chunk: Buffer) => {
      if (parser.execute(chunk) instanceof Error) broken()
    })
    // An answer that was complete has been resolved by then, and this changes nothing.
    connection.on('end', () => {
      parser.finish()
      broken()
    })
    connection.on('error', broken)
    connection.on('close', broken)
  })
}

function pairs(flat: readonly string[]): InterceptedResponse['headers'] {
  return flat.flatMap((name, place) => (place % 2 === 0 ? [[name, flat[place + 1] ?? ''] as const] : []))
}
