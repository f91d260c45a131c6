import { type Driver, DriverFailed, type ServerSettings } from './driver.ts'
import { releasePort } from './port-claims.ts'
import { choosePort } from './ports.ts'

/** Where one server keeps what outlives it. */
export interface Home {
  hasRulesFile(): Promise<boolean>
  deleteRulesFile(): Promise<void>
  writeRulesFile(text: string): Promise<void>
  /** Removes everything. */
  remove(): Promise<void>
}

/** One server of the kit's own, with whatever runs for it at the moment. */
export interface OwnServer<OfHome extends Home, Running> {
  settings: ServerSettings
  readonly port: number
  readonly home: OfHome
  running: Running | null
}

/** How servers of one kind live and die. */
export interface InstanceControl<OfHome extends Home, Running> {
  settle(): Promise<OfHome>
  start(
    server: OwnServer<OfHome, Running>,
    patience: 'ready' | 'brief',
  ): Promise<{ readonly running: Running | null; readonly answering: boolean }>
  stop(running: Running): Promise<void>
  crash(running: Running): Promise<void>
}

/** A driver that also ends everything that it started. */
export interface OwnDriver extends Driver {
  discardAll(): Promise<void>
}

/** A driver for servers at 127.0.0.1, each with a port and a home of its own. */
export function createOwnDriver<OfHome extends Home, Running>(lives: InstanceControl<OfHome, Running>): OwnDriver {
  const servers = new Map<string, OwnServer<OfHome, Running>>()
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
    if (running !== null) await lives[how](running)
  }
  const discard = async (id: string) => {
    await end(id, 'crash')
    await serverOf(id).home.remove()
    releasePort(serverOf(id).port)
    servers.delete(id)
  }

  return {
    async prepare(settings) {
      const port = await choosePort(settings)
      if (port === 'port-taken') return port
      count += 1
      const id = `s${count}`
      servers.set(id, { settings, port, home: await lives.settle(), running: null })
      return { id, url: `http://127.0.0.1:${port}` }
    },
    async configure(id, settings) {
      serverOf(id).settings = settings
    },
    async start(id, patience) {
      const server = serverOf(id)
      const { running, answering } = await lives.start(server, patience)
      server.running = running
      return answering
    },
    stop: (id) => end(id, 'stop'),
    crash: (id) => end(id, 'crash'),
    hasRulesFile: async (id) => serverOf(id).home.hasRulesFile(),
    deleteRulesFile: async (id) => serverOf(id).home.deleteRulesFile(),
    writeRulesFile: async (id, text) => serverOf(id).home.writeRulesFile(text),
    discard,
    async discardAll() {
      await Promise.all([...servers.keys()].map(discard))
    },
  }
}
