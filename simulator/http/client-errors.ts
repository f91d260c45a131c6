import { type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Answer } from './answer.ts'
import type { Connections } from './connections.ts'
import { type ParserError, parseProblem, type StrangeRequest, strangeRequest } from './parse-error.ts'
import { type Replay, replay } from './replay.ts'
import type { Service } from './service.ts'
import { failed } from './stages/render.ts'

/** How long a client may take to read its answer before the connection is cut. */
const lingerMs = 1_000

/** Answers what is not valid HTTP, for which Node makes no request (clause 7: every error is JSON). */
export function answerClientErrors(server: Server, service: Service, connections: Connections): void {
  // Every packet after the faulty one comes here too.
  const settled = new WeakMap<Duplex, Replay | 'answered'>()
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const earlier = settled.get(socket)
    if (earlier !== undefined) {
      if (earlier !== 'answered' && error.rawPacket !== undefined) earlier.feed(error.rawPacket)
      return
    }
    const last = connections.last(socket)
    const hasAnswer = last !== undefined && !last.request.complete && last.response.headersSent
    if (!socket.writable || error.code === 'ECONNRESET' || hasAnswer) {
      socket.destroy()
      return
    }
    settled.set(socket, 'answered')
    const settle = () => {
      const replayed = settleError({ error, socket, server, service })
      if (replayed !== undefined) settled.set(socket, replayed)
    }
    // An answer must not overtake that of the request before.
    if (last?.request.complete && !last.response.writableFinished) last.response.once('close', settle)
    else settle()
  })
}

interface Fault {
  readonly error: ParserError
  readonly socket: Duplex
  readonly server: Server
  readonly service: Service
}

function settleError({ error, socket, server, service }: Fault): Replay | undefined {
  const request = strangeRequest(error)
  const outcome =
    request === undefined ? service.seams.unparsable(parseProblem(error), error.code ?? '') : judge(request, service)
  if (request !== undefined && 'replaceBy' in outcome) {
    return replay(server, socket, { method: outcome.replaceBy, rest: request.rest })
  }
  const answer = failed(outcome, service)
  if (answer === undefined) socket.destroy()
  else respond(socket, answer, service.seams.reasonPhrase(answer.status))
  return undefined
}

function judge({ method, isKnownInUpperCase }: StrangeRequest, { seams }: Service) {
  return isKnownInUpperCase ? seams.lowerCaseMethod(method) : seams.unknownMethod(method)
}

function respond(socket: Duplex, { status, headers, body = new Uint8Array() }: Answer, phrase?: string): void {
  const fields = { ...headers, 'Content-Length': body.length, 'Connection': 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${phrase ?? STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
  socket.end(body)
  const linger = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(linger))
}
