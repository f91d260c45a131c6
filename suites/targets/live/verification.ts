import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Client } from '../../client/client.ts'
import { openSocket } from '../../client/connect.ts'
import { orNull } from '../../client/response.ts'
import { waitUntil } from '../../client/wait.ts'
import { contentOf, type Draft, describeRule, loginsOf, type Rule } from '../../model/rule.ts'
import { foundIn } from '../../safety/list-state.ts'
import { createPlugin } from '../../session/plugin.ts'
import { addressOf, get } from '../../session/raw-request.ts'
import { rulesOrNull } from '../../session/rules.ts'
import { createStartWait, type StartOptions } from '../driver.ts'
import type { Batch, LiveOptions } from './live-state.ts'
import type { DesiredParameters } from './step.ts'

export interface ExpectedResult extends Required<Pick<Batch, 'wait' | 'gone'>> {
  /** An earlier connection that a restart must have closed; null if there is none. */
  readonly heldConnection: HeldConnection | null
  /** The key that the server must accept; null if its API is disabled. */
  readonly key: string | null
  /** The `Copy_N` of which at least one rule must be in the list. */
  readonly copy: DesiredParameters['copy']
}

/** `answering` is null if the server was not restarted. `mayAccept`: the server itself may be at fault. */
export type StepsResult = Awaited<ReturnType<ReturnType<typeof createVerification>['verifyDone']>>

const intervalMs = 25

export function createVerification(client: Client, options: StartOptions) {
  const { readyMs, briefMs } = options
  const waitForStart = createStartWait(options, intervalMs)

  return {
    isDown: () => waitUntil(async () => (await statusWith(client, null)) === null, { timeoutMs: briefMs, intervalMs }),
    async verifyDone({ heldConnection, key, wait, gone, copy }: ExpectedResult) {
      // A restart may finish in the background.
      const isClosed = async () => !(await heldConnection?.survived())
      if (heldConnection !== null && !(await waitUntil(isClosed, { timeoutMs: briefMs, intervalMs }))) {
        return { ...unread, answering: null, problem: notRestarted }
      }
      let status = null as number | null
      const answering = await waitForStart(wait, async () => {
        status = await statusWith(client, key)
        return key === null ? status !== null : status === 200
      })
      const silence = key !== null && status === 401 ? keyNotAccepted : notStarted(readyMs)
      // A check that does not wait until the server is ready tests whether it accepts such a key.
      if (!answering) return { ...unread, answering, problem: wait === 'ready' ? silence : null }
      if (key === null) return { ...unread, answering }
      const list = await listWith(client, key)
      if (list === null) return { ...unread, answering }
      const result = { answering, opened: { key, list } }
      const remaining = foundIn(list, gone)
      if (remaining.length > 0) return { ...result, problem: stillThere(remaining), mayAccept: false }
      if (copy !== 'as-before' && !showsCopies(list, copy)) return { ...result, problem: notCopied, mayAccept: true }
      return { ...result, problem: null, mayAccept: false }
    },
  }
}

const unread = { opened: null, problem: null, mayAccept: false }

const notRestarted =
  'the server was not restarted: a connection opened before the restart still serves requests. If a proxy keeps it open, give the address of the plugin itself, or `--hook-stop` and `--hook-start`'
const keyNotAccepted = 'the server answers, but does not accept the new `API_Key`'
const notCopied = 'the list does not hold the rules of the `Copy_N` parameters'

function notStarted(readyMs: number): string {
  return `the server was started, but does not answer within ${readyMs / 1_000} s; \`--hook-timeout\` allows a longer time`
}

function stillThere(rules: readonly Draft[]): string {
  const [first = ''] = rules.map((rule) => describeRule(contentOf(rule)))
  return `the rules file was deleted and the server restarted, but the list still holds ${rules.length} earlier rules (${first}): either the file was not deleted, or the server wrote it back`
}

/** Whether the list has at least one of these rules. The checks judge which ones it must have. */
function showsCopies(list: readonly Rule[], copy: Readonly<Record<string, string>>): boolean {
  const pairs = Object.values(copy).flatMap((value) => {
    const [, master, follower] = /^\s*(\d+)\s*>\s*(\d+)/.exec(value) ?? []
    return master === undefined ? [] : [`${master}>${follower}`]
  })
  return pairs.length === 0 || list.some((rule) => pairs.includes(loginsOf(rule)))
}

/** The list read with this key; null if it cannot be read. */
export async function listWith(client: Client, key: string): Promise<readonly Rule[] | null> {
  const response = await orNull(createPlugin(client, key).list())
  return response && rulesOrNull(response)
}

/** The HTTP status of a request with this key, or without any; null if there is no response. */
async function statusWith(client: Client, key: string | null): Promise<number | null> {
  const response = await orNull(createPlugin(client, key ?? '').status(key === null ? { key: null } : {}))
  return response?.status ?? null
}

export type HeldConnection = Awaited<ReturnType<typeof holdConnection>>

const responseTimeoutMs = 1_000

/** Opens a connection, sends one request and keeps it open. `survived` is always false without persistent connections. */
export async function holdConnection(
  key: string,
  { url, transport, pace }: Pick<LiveOptions, 'url' | 'transport' | 'pace'>,
) {
  const request = get({ address: addressOf(url), key }, '/api/status')
  const socket = await openSocket(url, transport, AbortSignal.timeout(responseTimeoutMs)).catch(() => null)
  if (socket === null) return { survived: async () => false, release: () => undefined }
  // An error is noticed by the next request.
  socket.on('error', () => undefined)
  const respondsAgain = async () => {
    await pace()
    return responds(socket, request)
  }
  const isPersistent = await respondsAgain()
  return {
    /** Whether it still serves requests, which shows that the server was not restarted. */
    survived: async () => isPersistent && respondsAgain(),
    release: () => void socket.destroy(),
  }
}

async function responds(socket: Socket, request: Buffer): Promise<boolean> {
  if (socket.destroyed || socket.readyState === 'readOnly') return false
  const ended = new AbortController()
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(responseTimeoutMs)])
  const events = ['data', 'close', 'end'].map((event) => once(socket, event, { signal }).catch(() => []))
  socket.write(request)
  const [chunk = ''] = await Promise.race(events)
  ended.abort()
  return chunk.toString('latin1').startsWith('HTTP/1.1 ')
}
