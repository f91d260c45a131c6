import type { RequestHandler } from './app.ts'
import type { LifeCycle, ServerInstance } from './instance.ts'
import type { LogEntry } from './log.ts'

/** The simulator has no open port. */
export class NotListeningError extends Error {
  override readonly name = 'NotListeningError'
  readonly hint: string

  constructor(hint: string) {
    super('The simulator has no open port.')
    this.hint = hint
  }
}

/** What every simulator can do. */
export interface RunnableServer extends AsyncDisposable {
  /** Lets requests in flight finish, then closes everything. Has no effect if it is not started. */
  readonly stop: () => Promise<void>
  /** Crashes: destroys all connections, saves nothing, discards what is in memory. */
  readonly crash: () => Promise<void>
  /** E.g. `http://127.0.0.1:1234`. @throws NotListeningError */
  readonly url: string
  /** @throws NotListeningError */
  readonly port: number
  /** Whether it is running: started, or loaded by the first request to `callback()`. */
  readonly running: boolean
  /**
   * A handler for `supertest`, `light-my-request` or your own server. The first request loads the stored data if the
   * simulator was not started before. After a stop or a crash, connections are destroyed. Your server responds to
   * invalid HTTP itself, so the profile does not apply there.
   */
  readonly callback: () => RequestHandler
}

/** Null while no port is open. */
export function urlIfOpen(server: Pick<RunnableServer, 'url'>): string | null {
  try {
    return server.url
  } catch (error) {
    if (error instanceof NotListeningError) return null
    throw error
  }
}

interface ServerOptions {
  readonly host: string
  /** What the user can do while no port is open. */
  readonly hint: string
  readonly log: (entry: LogEntry) => void
}

/** Adds the members of every simulator to `own`, the members of this one. */
export function runnable<Own extends object>(
  { start, stop, crash, current, currentOrFirst }: Omit<LifeCycle<ServerInstance>, 'restart'>,
  { host, hint, log }: ServerOptions,
  own: Own,
) {
  const port = () => {
    const open = current()?.port()
    if (open === undefined) throw new NotListeningError(hint)
    return open
  }
  const shared = {
    start,
    stop,
    crash,
    get url() {
      return `http://${host.includes(':') ? `[${host}]` : host}:${port()}`
    },
    get port() {
      return port()
    },
    get running() {
      return current() !== undefined
    },
    /** Passes requests to the current instance. Before the first start, a request starts one without a port. */
    callback: (): RequestHandler => (request, response) => {
      currentOrFirst().then(
        // Without an instance the server is not running, so the connection breaks.
        (instance) => (instance === undefined ? response.destroy() : instance.handle(request, response)),
        (error: Error) => {
          log({ level: 'error', event: 'load-failed', reason: error.message })
          response.destroy()
        },
      )
    },
    [Symbol.asyncDispose]: stop,
  }
  // A copy would evaluate the getters once and store the results.
  return Object.defineProperties(own, Object.getOwnPropertyDescriptors(shared)) as Own & typeof shared
}
