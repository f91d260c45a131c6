import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Api } from '../../server/api.ts'
import { restOfBody } from '../../server/drain-body.ts'
import { Dropped } from '../../server/error-response.ts'
import { failed } from '../../server/error-to-response.ts'
import { writeJson } from '../../server/json.ts'
import { readUpTo } from '../../server/request-body.ts'
import type { HttpResponse, Json } from '../../server/response.ts'
import { splitTarget } from '../../server/target.ts'
import type { Track } from '../../server/track.ts'
import type { KeptFile } from '../../storage/stored-file.ts'
import { badChunk, closedOr, garbage, lost, reset, type Spoil, slow, truncated } from './broken-response.ts'
import type { Effect } from './fault.ts'
import type { FaultList, Moment } from './fault-list.ts'
import { membersOf, type Seen } from './matching.ts'

/** Puts faults between a server and its API, and between its store and the disk. */
export interface FaultPlayer {
  readonly onApi: (api: Api) => Api
  readonly onFile: (file: KeptFile) => KeptFile
  /** Ends what a fault lets wait: the connections are closed without an answer. */
  readonly release: () => void
}

/** A longer body is not looked at to find a fault. */
const bodyLimitBytes = 1024 * 1024

/** A request on which a fault is or may be played: one at most. */
interface Played {
  readonly seen: Seen
  readonly track: Track | undefined
  effect: Effect | undefined
  /** Whether the plugin has died of it. */
  died: boolean
}

/** `die` ends the plugin as a crash does; it must not be waited for within a request. */
export function faultPlayer(faults: FaultList, die: () => Promise<void>): FaultPlayer {
  const playing = new AsyncLocalStorage<Played>()
  let waiting = new AbortController()
  const due = (played: Played, moment: Moment) => {
    const fault = faults.next(played.seen, moment)
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
      answer: async (request, track) => {
        if (faults.isEmpty()) return api.answer(request, track)
        const seen = await look(request, faults.asksForBody())
        const played: Played = { seen, track, effect: undefined, died: false }
        due(played, 'request')
        return playing.run(played, () => play(played, { request, api, track, released: waiting.signal }))
      },
    }),
    onFile: (file) => ({
      ...file,
      write: (bytes) => {
        const played = playing.getStore()
        if (played === undefined) return file.write(bytes)
        // An ordinary fault has had the request; one of the store goes on as it began.
        if (played.effect === undefined) due(played, 'write')
        const dies = () => {
          played.died = true
          void die()
          return new Error('The plugin has died while it saved the rules.')
        }
        return writeBadly(played.effect, { file, bytes, dies })
      },
    }),
  }
}

async function look(request: IncomingMessage, withBody: boolean): Promise<Seen> {
  const { method = '', url = '' } = request
  const read = withBody ? await readUpTo(request, bodyLimitBytes) : undefined
  const { path } = splitTarget(url)
  return { method, path, members: read === undefined ? null : membersOf(Buffer.concat(read.chunks)) }
}

interface Course {
  readonly request: IncomingMessage
  readonly api: Api
  readonly track: Track | undefined
  readonly released: AbortSignal
}

async function play(played: Played, course: Course): Promise<HttpResponse> {
  const { effect } = played
  const { request, api, track, released } = course
  switch (effect?.kind) {
    case 'answer':
      return responseOf(effect)
    case 'delay':
      await delay(effect.ms, undefined, { signal: released }).catch(() => {
        throw new Dropped('The plugin ended while a fault let the request wait.')
      })
      return api.answer(request, track)
    case 'slow-body':
      return spoil(slow(effect.msPerByte, released), course)
    case 'truncate':
      return spoil(truncated, course)
    case 'bad-chunk':
      return spoil(badChunk, course)
    case 'lose-answer':
      return spoil(lost, course)
    case 'reset':
      return instead(reset, request)
    case 'empty':
      return instead(async (socket) => void socket.destroy(), request)
    case 'garbage':
      return instead(garbage, request)
    case 'hang':
      return instead((socket) => closedOr(released, socket), request)
    default:
      return answerOrDie(played, course)
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
async function spoil(how: Spoil, { request, api, track }: Course): Promise<never> {
  const answer = await api.answer(request, track).catch((error: unknown) => failed(error, api))
  if (answer !== undefined) {
    const sent = api.finish(answer, request)
    if (how.arrives) track?.({ sent })
    await restOfBody(request)
    await how.send(request.socket, sent)
  }
  throw new Dropped('A fault has spoilt the answer.')
}

/** Deals with the connection in place of the plugin. */
async function instead(how: (socket: Socket) => Promise<void>, request: IncomingMessage): Promise<never> {
  // What lies unread in a connection that is closed turns its end into a reset.
  await restOfBody(request)
  await how(request.socket)
  throw new Dropped('A fault has taken the place of the answer.')
}

/** A plugin that has died while it saved gives no answer, though its code would have one. */
async function answerOrDie(played: Played, { request, api, track }: Course): Promise<HttpResponse> {
  const [result] = await Promise.allSettled([api.answer(request, track)])
  if (played.died) throw new Dropped('The plugin has died.')
  if (result.status === 'rejected') throw result.reason
  return result.value
}

interface Writing {
  readonly file: KeptFile
  readonly bytes: Uint8Array
  /** Lets the plugin die; returns the error that ends the writing. */
  readonly dies: () => Error
}

async function writeBadly(effect: Effect | undefined, { file, bytes, dies }: Writing): Promise<void> {
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
