import { createServer } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { createResponseReader, type ReceivedResponse } from '../../http/response-reader.ts'
import type { RequestHandler } from '../index.ts'

/** A client's request that was intercepted before it reached the network. */
export interface InterceptedRequest {
  readonly method: string
  /** Path and query, e.g. `/api/rules/0`. */
  readonly target: string
  /** Names as sent. A repeated header has one entry per value. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** The simulator sent no response, or no valid HTTP. `code` is Node's code of a broken connection. */
export class ConnectionBrokenError extends Error {
  override readonly name = 'ConnectionBrokenError'
  readonly code = 'ECONNRESET'
  readonly hint =
    'Check whether the simulator is running and has an API key, and whether a fault was played on the request.'
}

/** These headers are set here and not copied from the client. */
const framing = ['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']

/**
 * Injects requests into a handler without a port. Each request goes through Node's HTTP server on a
 * connection inside the process, so the handler sees no difference.
 */
export function createInjector(handler: RequestHandler): (request: InterceptedRequest) => Promise<ReceivedResponse> {
  const server = createServer(handler)
  return (request) => {
    const [clientSide, handlerSide] = duplexPair()
    // Destroying one side of a pair does not destroy the other.
    handlerSide.once('close', () => {
      if (!handlerSide.writableFinished) clientSide.destroy()
    })
    clientSide.once('close', () => handlerSide.destroy())
    server.emit('connection', handlerSide)
    clientSide.write(bytesOf(request))
    return readResponse(clientSide, request.method === 'HEAD')
  }
}

function bytesOf({ method, target, headers, body }: InterceptedRequest): Uint8Array {
  const forwarded = headers.filter(([name]) => !framing.includes(name.toLowerCase()))
  const hasLength = body.length > 0 || headers.some(([name]) => name.toLowerCase() === 'content-length')
  const length = hasLength ? [['Content-Length', String(body.length)] as const] : []
  const fields = [...forwarded, ...length, ['Connection', 'close'] as const]
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body])
}

function readResponse(connection: Duplex, isHead: boolean): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const feed = createResponseReader(resolve, { isHead: () => isHead })
    const broken = () => {
      connection.destroy()
      reject(new ConnectionBrokenError('The connection to the simulator was broken.'))
    }
    connection.on('data', (chunk: Buffer) => {
      if (!feed(chunk)) broken()
    })
    // If a complete response was resolved before, rejecting has no effect.
    connection.on('end', () => {
      feed(null)
      broken()
    })
    connection.on('error', broken)
    connection.on('close', broken)
  })
}
