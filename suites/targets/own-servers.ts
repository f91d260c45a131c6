import { request } from 'node:http'
import {
  type Driver,
  DriverFailed,
  type PreparedServer,
  type ServerSettings,
  type StartOptions,
  type StartWait,
} from './driver.ts'
import type { Listener, Process } from './listeners.ts'
import { choosePort, nextPort, releasePort, requireFree } from './ports.ts'
import { createStartWait } from './wait-until.ts'

/** How servers are started and stopped, and what becomes of their output. */
export interface OwnServerOptions extends StartOptions {
  /** File for the output of all servers. */
  readonly outputFile: string
  readonly redact: (text: string) => string
  /** The time to stop before a server is killed. */
  readonly graceMs: number
}

/** The data of one server, which outlives its instances. */
export interface ServerStorage {
  readonly rulesFile: {
    exists(): Promise<boolean>
    remove(): Promise<void>
    write(content: Buffer): Promise<void>
  }
  remove(): Promise<void>
}

/** A server that the kit starts, with its running instance. */
export interface OwnServer<Storage extends ServerStorage, Running> {
  settings: ServerSettings
  readonly port: number
  readonly storage: Storage
  running: Running | null
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

/** Starts and ends instances of one kind of server. */
export interface InstanceControl<Storage extends ServerStorage, Running> {
  createStorage(): Promise<Storage>
  /** Does not wait for its response. Null if it ended at once. */
  launch(server: OwnServer<Storage, Running>): Promise<Running | null>
  answers(server: OwnServer<Storage, Running>, running: Running, wait: StartWait): Promise<boolean>
  stop(running: Running): Promise<void>
  crash(running: Running): Promise<void>
  /** Absent if nothing is known about an instance that does not respond. */
  explain?(running: Running): Promise<SilentStart>
}

export interface OwnDriver extends Driver {
  /** What is known about a server that did not respond after its last start. */
  explain(id: string): Promise<SilentStart>
  discardAll(): Promise<void>
  /** The base URLs of the servers that run, in the order in which they were prepared. */
  running(): readonly string[]
}

/** A driver for servers at 127.0.0.1, each with its own port and storage. */
export function createOwnDriver<Storage extends ServerStorage, Running>(
  control: InstanceControl<Storage, Running>,
): OwnDriver {
  const servers = new Map<string, OwnServer<Storage, Running>>()
  let count = 0

  const serverOf = (id: string) => {
    const server = servers.get(id)
    if (server === undefined) throw new DriverFailed(`there is no server ${id}`)
    return server
  }
  const end = async (id: string, how: 'stop' | 'crash') => {
    const server = serverOf(id)
    const { running } = server
    server.running = null
    if (running !== null) await control[how](running)
  }
  const discard = async (id: string) => {
    await end(id, 'crash')
    await serverOf(id).storage.remove()
    releasePort(serverOf(id).port)
    servers.delete(id)
  }

  const add = async (settings: ServerSettings, port: number): Promise<PreparedServer> => {
    count += 1
    const id = `s${count}`
    servers.set(id, { settings, port, storage: await control.createStorage(), running: null })
    return { id, url: urlAt(port) }
  }

  return {
    prepare: async (settings) => add(settings, await choosePort(settings)),
    async prepareLike(id) {
      const { settings } = serverOf(id)
      return add(settings, await nextPort())
    },
    async configure(id, settings) {
      serverOf(id).settings = settings
    },
    async start(id, wait) {
      const server = serverOf(id)
      await requireFree(server.port)
      // Set before the wait, so that the instance can be explained and ended during it.
      const running = await control.launch(server)
      server.running = running
      return running !== null && (await control.answers(server, running, wait))
    },
    async explain(id) {
      const { running } = serverOf(id)
      return (running && (await control.explain?.(running))) ?? nothingKnown
    },
    stop: (id) => end(id, 'stop'),
    crash: (id) => end(id, 'crash'),
    hasRulesFile: async (id) => serverOf(id).storage.rulesFile.exists(),
    deleteRulesFile: async (id) => serverOf(id).storage.rulesFile.remove(),
    writeRulesFile: async (id, text) => serverOf(id).storage.rulesFile.write(Buffer.from(text)),
    discard,
    async discardAll() {
      await Promise.all([...servers.keys()].map(discard))
    },
    running: () => [...servers.values()].flatMap(({ running, port }) => (running === null ? [] : urlAt(port))),
  }
}

function urlAt(port: number): string {
  return `http://127.0.0.1:${port}`
}

/** Waits for the first HTTP response of servers of one kind at 127.0.0.1. */
export function createAnswerWait(options: StartOptions) {
  const waitUntilReady = createStartWait(options, 15)
  return ({ port }: { readonly port: number }, { isGone }: { isGone(): boolean }, wait: StartWait) =>
    waitUntilReady(wait, async () => (isGone() ? null : answers(port)))
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request({ host: '127.0.0.1', port, path: '/api/status', agent: false, timeout: 1000 })
    probe.on('response', (response) => {
      response.resume()
      resolve(true)
    })
    probe.on('timeout', () => probe.destroy())
    probe.on('error', () => resolve(false))
    probe.end()
  })
}
