import { type IncomingMessage, request } from 'node:http'
import {
  createStartWait,
  type Driver,
  DriverFailed,
  type PreparedServer,
  type ServerSettings,
  type StartOptions,
  type StartWait,
} from './driver.ts'
import type { Listener, Process } from './listeners.ts'
import { awaitEndedConnections, choosePort, nextPort, releasePort, requireFree } from './ports.ts'

/** How servers are started and stopped, and what becomes of their output. */
export interface OwnServerOptions extends StartOptions {
  readonly outputFile: string
  readonly redact: (text: string) => string
  /** The time to stop before a server is killed. */
  readonly graceMs: number
}

/** A server that the kit starts. Its data outlives its instances. */
export interface OwnServer {
  readonly rulesFile: {
    exists(): Promise<boolean>
    remove(): Promise<void>
    write(content: Buffer): Promise<void>
  }
  /** Starts an instance, and does not wait for its response. Null if it ended at once. */
  launch(settings: ServerSettings): Promise<Instance | null>
  /** Removes its data. */
  remove(): Promise<void>
}

export interface Instance {
  answers(wait: StartWait): Promise<boolean>
  stop(): Promise<void>
  crash(): Promise<void>
  /** Absent if nothing is known about an instance that does not respond. */
  explain?(): Promise<SilentStart>
}

/** What is known about a started server that does not respond. */
export interface SilentStart {
  /** How its command or container ended; null while it runs. */
  readonly ended: { readonly code: number | null; readonly signal: string | null } | null
  /** Its running processes. Those of a container are unknown. */
  readonly processes: readonly Process[]
  /** Where it listens; null if the system does not show it. */
  readonly listening: readonly Listener[] | null
  readonly lastLines: readonly string[]
}

export const nothingKnown: SilentStart = { ended: null, processes: [], listening: null, lastLines: [] }

export interface OwnDriver extends Driver {
  /** What is known about a server that did not respond after its last start. */
  explain(id: string): Promise<SilentStart>
  discardAll(): Promise<void>
  /** The base URLs of the servers that run, in the order in which they were prepared. */
  running(): readonly string[]
}

/** A prepared server, with its running instance. */
interface Prepared {
  readonly server: OwnServer
  readonly port: number
  settings: ServerSettings
  running: Instance | null
  wasStarted: boolean
}

/** A driver for servers at 127.0.0.1, each with its own port and data. */
export function createOwnDriver(createServer: (port: number) => Promise<OwnServer>): OwnDriver {
  const servers = new Map<string, Prepared>()
  let count = 0

  const preparedOf = (id: string) => {
    const prepared = servers.get(id)
    if (prepared === undefined) throw new DriverFailed(`there is no server ${id}`)
    return prepared
  }
  const explain = async (id: string) => (await preparedOf(id).running?.explain?.()) ?? nothingKnown
  const end = async (id: string, how: 'stop' | 'crash') => {
    const prepared = preparedOf(id)
    const { running } = prepared
    prepared.running = null
    await running?.[how]()
  }
  const discard = async (id: string) => {
    const { server, port } = preparedOf(id)
    try {
      await end(id, 'crash')
    } finally {
      await server.remove()
      releasePort(port)
      servers.delete(id)
    }
  }

  const add = async (settings: ServerSettings, port: number): Promise<PreparedServer> => {
    count += 1
    const id = `s${count}`
    servers.set(id, { settings, port, server: await createServer(port), running: null, wasStarted: false })
    return { id, url: urlAt(port) }
  }

  return {
    prepare: async (settings) => add(settings, await choosePort(settings)),
    async prepareLike(id) {
      const { settings } = preparedOf(id)
      return add(settings, await nextPort())
    },
    async configure(id, settings) {
      preparedOf(id).settings = settings
    },
    async start(id, wait) {
      const prepared = preparedOf(id)
      await requireFree(prepared.port)
      const { port, wasStarted } = prepared
      if (await answersAfterStart(prepared, wait)) return true
      // Unlike the kit's simulators, a server without SO_REUSEADDR cannot listen where an earlier one had connections.
      const known = await prepared.running?.explain?.()
      if (known === undefined || known.listening?.length) return false
      // Many checks start a server again that may not listen, so a wait for each needs a reason.
      if (wasStarted && !known.lastLines.some((line) => /address already in use|EADDRINUSE/i.test(line))) return false
      if (!(await awaitEndedConnections(port))) return false
      await end(id, 'crash')
      return answersAfterStart(prepared, wait)
    },
    explain,
    stop: (id) => end(id, 'stop'),
    crash: (id) => end(id, 'crash'),
    hasRulesFile: async (id) => preparedOf(id).server.rulesFile.exists(),
    deleteRulesFile: async (id) => preparedOf(id).server.rulesFile.remove(),
    writeRulesFile: async (id, text) => preparedOf(id).server.rulesFile.write(Buffer.from(text)),
    discard,
    async discardAll() {
      const results = await Promise.allSettled([...servers.keys()].map(discard))
      const failed = results.find((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    },
    running: () => [...servers.values()].flatMap(({ running, port }) => (running === null ? [] : urlAt(port))),
  }
}

async function answersAfterStart(prepared: Prepared, wait: StartWait): Promise<boolean> {
  prepared.wasStarted = true
  // Set before the wait, so that the instance can be explained and ended during it.
  prepared.running = await prepared.server.launch(prepared.settings)
  return prepared.running !== null && (await prepared.running.answers(wait))
}

function urlAt(port: number): string {
  return `http://127.0.0.1:${port}`
}

/**
 * Waits for the first HTTP response of servers of one kind at 127.0.0.1. After a 503 with `Retry-After` it waits for
 * another response, since the server may still be loading its rules, but in the end that counts too.
 */
export function createAnswerWait(options: StartOptions) {
  // A server that hangs at each start except the first would delay every check by the whole time for a start.
  const waitUntilReady = createStartWait(options, 15, options.readyMs / 6)
  return async (port: number, isGone: () => boolean, wait: StartWait) =>
    (await waitUntilReady(wait, async (limitMs) => (isGone() ? null : answers(port, limitMs, isReady)))) ||
    (!isGone() && answers(port, 1_000, () => true))
}

const isReady = ({ statusCode, headers }: IncomingMessage) => statusCode !== 503 || headers['retry-after'] === undefined

function answers(port: number, limitMs: number, counts: (response: IncomingMessage) => boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(Math.ceil(limitMs))
    const probe = request({ host: '127.0.0.1', port, path: '/api/status', agent: false, signal })
    probe.on('response', (response) => {
      response.resume()
      resolve(counts(response))
    })
    probe.on('error', () => resolve(false))
    probe.end()
  })
}
