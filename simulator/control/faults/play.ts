import { AsyncLocalStorage } from 'node:async_hooks'
import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { errorToResponse, type HttpApi, type Track } from '../../server/api.ts'
import { drainBody } from '../../server/drain-body.ts'
import { writeJson } from '../../server/json.ts'
import { readUpTo, startReading } from '../../server/request-body.ts'
import { Dropped, type HttpResponse, type Json } from '../../server/response.ts'
import { splitTarget } from '../../server/target.ts'
import type { StoredFile } from '../../storage/stored-file.ts'
import { badChunk, closedOr, garbage, reset, type SendBroken, slow, truncated } from './broken-response.ts'
import type { Effect } from './fault.ts'
import { type FaultList, type FaultMoment, type MatchedRequest, membersOf } from './fault-list.ts'

/** A request to which at most one fault applies. */
interface FaultedRequest {
  readonly request: IncomingMessage
  readonly matched: MatchedRequest
  readonly track: Track | undefined
  effect: Effect | undefined
  /** Whether the fault has crashed the plugin. */
  hasCrashed: boolean
}

/** One signal that can end any number of requests. */
function createRelease(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

/**
 * Plays faults on requests and on the store. They do not match a body of more than `limitBytes`. A request must not
 * await `crash`, which waits for changes.
 */
export function faultPlayer(faults: FaultList, limitBytes: number, crash: () => Promise<void>) {
  const currentRequest = new AsyncLocalStorage<FaultedRequest>()
  let waiting = createRelease()
  const due = (played: FaultedRequest, moment: FaultMoment) => {
    const fault = faults.next(played.matched, moment)
    if (fault === undefined) return
    played.effect = fault.effect
    if (played.track !== undefined) played.track.fault = fault.id
    // The plugin may never read the body, or only after the client has given up, and then the journal could not show it.
    startReading(played.request, limitBytes)
  }
  const respond = (api: HttpApi, request: IncomingMessage, members: MatchedRequest['members'], track?: Track) => {
    const { method = '', url = '' } = request
    const matched = { method, path: splitTarget(url).path, members }
    const played: FaultedRequest = { request, track, matched, effect: undefined, hasCrashed: false }
    due(played, 'request')
    if (played.effect === undefined && !faults.hasWriteFault()) return api.respond(request, track)
    return currentRequest.run(played, () => play(played, api, waiting.signal))
  }
  return {
    /** Ends the requests that a fault delays: the connections are closed without a response. */
    release: () => {
      waiting.abort()
      waiting = createRelease()
    },
    onApi: (api: HttpApi): HttpApi => ({
      ...api,
      // Not async: a second promise would be rejected before the first one is awaited (see `handleRequest`).
      respond: (request, track) => {
        if (faults.isEmpty()) return api.respond(request, track)
        if (!faults.asksForBody()) return respond(api, request, null, track)
        return readUpTo(request, limitBytes).then((read) =>
          respond(api, request, read ? membersOf(Buffer.concat(read.chunks)) : null, track),
        )
      },
    }),
    onFile: (file: StoredFile): StoredFile => ({
      ...file,
      // A fault applies to the write of one request, and the steps of a write are those of replacing the whole file.
      get appender() {
        return faults.hasWriteFault() ? undefined : file.appender
      },
      write: (bytes) => {
        const played = currentRequest.getStore()
        if (played === undefined) return file.write(bytes)
        // A request has at most one fault; a fault of the store also applies to later writes of the request.
        if (played.effect === undefined) due(played, 'write')
        const crashPlugin = () => {
          played.hasCrashed = true
          void crash()
          return new Error('The plugin crashed while it saved the rules.')
        }
        return writeWithFault(played.effect, file, bytes, crashPlugin)
      },
    }),
  }
}

async function play(played: FaultedRequest, api: HttpApi, released: AbortSignal): Promise<HttpResponse> {
  const { effect, request, track } = played
  switch (effect?.kind) {
    case 'answer':
      return responseOf(effect)
    case 'delay':
      await delay(effect.ms, undefined, { signal: released }).catch(() => {
        throw new Dropped('The plugin ended while a fault delayed the request.')
      })
      return api.respond(request, track)
    case 'slow-body':
      return breakResponse(slow(effect.msPerByte, released, request.method === 'HEAD'), played, api)
    case 'truncate':
      return breakResponse(truncated, played, api)
    case 'bad-chunk':
      return breakResponse(badChunk, played, api)
    case 'lose-answer':
      return breakResponse(reset, played, api)
    case 'reset':
      return breakConnection(reset, request)
    case 'empty':
      return breakConnection(async (socket) => void socket.destroy(), request)
    case 'garbage':
      return breakConnection(garbage, request)
    case 'hang':
      return breakConnection((socket) => closedOr(released, socket), request)
    default:
      return respondUnlessCrashed(played, api)
  }
}

function responseOf({ status, body = { error: 'fault' }, headers }: Extract<Effect, { kind: 'answer' }>): HttpResponse {
  const isText = typeof body === 'string'
  return {
    status,
    body: isText ? Buffer.from(body) : writeJson(body as Json),
    headers: { 'Content-Type': isText ? 'text/plain; charset=utf-8' : 'application/json', ...headers },
  }
}

/** Gets the response of the plugin and sends it in a broken form. */
async function breakResponse(send: SendBroken, played: FaultedRequest, api: HttpApi): Promise<never> {
  const { request, track } = played
  const response = await api.respond(request, track).catch((error: unknown) => errorToResponse(error, api))
  if (response !== undefined) {
    const sent = api.finish(response, request)
    await drainBody(request)
    await send(request.socket, sent, () => track?.onResponse(sent))
  }
  throw new Dropped('A fault has broken the response.')
}

/** Handles the connection instead of the plugin. */
async function breakConnection(how: (socket: Socket) => Promise<void>, request: IncomingMessage): Promise<never> {
  // Closing a connection with unread bytes would reset it.
  await drainBody(request)
  await how(request.socket)
  throw new Dropped('A fault has replaced the response.')
}

/** A plugin that crashed while saving sends no response, even though its pipeline returns one. */
async function respondUnlessCrashed(played: FaultedRequest, api: HttpApi): Promise<HttpResponse> {
  const [result] = await Promise.allSettled([api.respond(played.request, played.track)])
  if (played.hasCrashed) throw new Dropped('The plugin has crashed.')
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** `crash` crashes the plugin, and returns the error that ends the write. */
async function writeWithFault(effect: Effect | undefined, file: StoredFile, bytes: Uint8Array, crash: () => Error) {
  switch (effect?.kind) {
    case 'disk-full':
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    case 'permission-denied':
      throw Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' })
    case 'torn-write':
      await file.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
      throw crash()
    case 'crash':
      return file.write(bytes, async (step) => {
        if (step === effect.at) throw crash()
      })
    default:
      return file.write(bytes)
  }
}
