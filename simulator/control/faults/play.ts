import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpApi } from '../../server/api.ts'
import { drainBody } from '../../server/drain-body.ts'
import { Dropped } from '../../server/error-response.ts'
import { errorToResponse } from '../../server/error-to-response.ts'
import { writeJson } from '../../server/json.ts'
import { readUpTo } from '../../server/request-body.ts'
import type { HttpResponse, Json } from '../../server/response.ts'
import { splitTarget } from '../../server/target.ts'
import type { Track } from '../../server/track.ts'
import type { StoredFile } from '../../storage/stored-file.ts'
import {
  type BrokenResponse,
  badChunk,
  closedOr,
  garbage,
  lostResponse,
  reset,
  slow,
  truncated,
} from './broken-response.ts'
import type { Effect } from './fault.ts'
import type { FaultList, FaultMoment } from './fault-list.ts'
import { type MatchedRequest, membersOf } from './matching.ts'

/** Puts faults between a server and its API, and between its store and the disk. */
export interface FaultPlayer {
  readonly onApi: (api: HttpApi) => HttpApi
  readonly onFile: (file: StoredFile) => StoredFile
  /** Ends what a fault lets wait: the connections are closed without an answer. */
  readonly release: () => void
}

/** A longer body is not looked at to find a fault. */
const bodyLimitBytes = 1024 * 1024

/** A request on which a fault is or may be played: one at most. */
interface FaultedRequest {
  readonly matched: MatchedRequest
  readonly track: Track | undefined
  effect: Effect | undefined
  /** Whether the plugin has died of it. */
  died: boolean
}

/** `die` ends the plugin as a crash does; it must not be waited for within a request. */
export function faultPlayer(faults: FaultList, die: () => Promise<void>): FaultPlayer {
  const active = new AsyncLocalStorage<FaultedRequest>()
  let waiting = new AbortController()
  const due = (played: FaultedRequest, moment: FaultMoment) => {
    const fault = faults.next(played.matched, moment)
    if (fault === undefined) return
    played.effect = fault.effect
    played.track?.({ fault: fault.id })
  }
  return {
    release: () => {
      waiting.abort()
      waiting = new AbortController()
    },
    onApi: (api) => ({
      ...api,
      respond: async (request, track) => {
        if (faults.isEmpty()) return api.respond(request, track)
        const matched = await inspect(request, faults.asksForBody())
        const played: FaultedRequest = { matched, track, effect: undefined, died: false }
        due(played, 'request')
        return active.run(played, () => play(played, { request, api, track, released: waiting.signal }))
      },
    }),
    onFile: (file) => ({
      ...file,
      write: (bytes) => {
        const played = active.getStore()
        if (played === undefined) return file.write(bytes)
        // An ordinary fault has had the request; one of the store goes on as it began.
        if (played.effect === undefined) due(played, 'write')
        const dies = () => {
          played.died = true
          void die()
          return new Error('The plugin has died while it saved the rules.')
        }
        return writeWithFault(played.effect, { file, bytes, dies })
      },
    }),
  }
}

async function inspect(request: IncomingMessage, withBody: boolean): Promise<MatchedRequest> {
  const { method = '', url = '' } = request
  const read = withBody ? await readUpTo(request, bodyLimitBytes) : undefined
  const { path } = splitTarget(url)
  return { method, path, members: read === undefined ? null : membersOf(Buffer.concat(read.chunks)) }
}

interface FaultContext {
  readonly request: IncomingMessage
  readonly api: HttpApi
  readonly track: Track | undefined
  readonly released: AbortSignal
}

async function play(played: FaultedRequest, course: FaultContext): Promise<HttpResponse> {
  const { effect } = played
  const { request, api, track, released } = course
  switch (effect?.kind) {
    case 'answer':
      return responseOf(effect)
    case 'delay':
      await delay(effect.ms, undefined, { signal: released }).catch(() => {
        throw new Dropped('The plugin ended while a fault let the request wait.')
      })
      return api.respond(request, track)
    case 'slow-body':
      return breakResponse(slow(effect.msPerByte, released), course)
    case 'truncate':
      return breakResponse(truncated, course)
    case 'bad-chunk':
      return breakResponse(badChunk, course)
    case 'lose-answer':
      return breakResponse(lostResponse, course)
    case 'reset':
      return breakConnection(reset, request)
    case 'empty':
      return breakConnection(async (socket) => void socket.destroy(), request)
    case 'garbage':
      return breakConnection(garbage, request)
    case 'hang':
      return breakConnection((socket) => closedOr(released, socket), request)
    default:
      return respondUnlessDead(played, course)
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

/** Gets the answer of the plugin, and spoils it. */
async function breakResponse(how: BrokenResponse, { request, api, track }: FaultContext): Promise<never> {
  const response = await api.respond(request, track).catch((error: unknown) => errorToResponse(error, api))
  if (response !== undefined) {
    const sent = api.finish(response, request)
    if (how.isReadable) track?.({ sent })
    await drainBody(request)
    await how.send(request.socket, sent)
  }
  throw new Dropped('A fault has spoilt the answer.')
}

/** Deals with the connection in place of the plugin. */
async function breakConnection(how: (socket: Socket) => Promise<void>, request: IncomingMessage): Promise<never> {
  // What lies unread in a connection that is closed turns its end into a reset.
  await drainBody(request)
  await how(request.socket)
  throw new Dropped('A fault has taken the place of the answer.')
}

/** A plugin that has died while it saved gives no answer, though its code would have one. */
async function respondUnlessDead(played: FaultedRequest, { request, api, track }: FaultContext): Promise<HttpResponse> {
  const [result] = await Promise.allSettled([api.respond(request, track)])
  if (played.died) throw new Dropped('The plugin has died.')
  if (result.status === 'rejected') throw result.reason
  return result.value
}

interface WriteContext {
  readonly file: StoredFile
  readonly bytes: Uint8Array
  /** Lets the plugin die; returns the error that ends the writing. */
  readonly dies: () => Error
}

async function writeWithFault(effect: Effect | undefined, { file, bytes, dies }: WriteContext): Promise<void> {
  switch (effect?.kind) {
    case 'disk-full':
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    case 'permission-denied':
      throw Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' })
    case 'torn-write':
      await file.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
      throw dies()
    case 'crash':
      return file.write(bytes, async (step) => {
        if (step === effect.at) throw dies()
      })
    default:
      return file.write(bytes)
  }
}
