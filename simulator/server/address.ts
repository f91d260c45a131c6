import type { RequestHandler } from './app.ts'
import type { ServerInstance } from './instance.ts'
import type { LifeCycle } from './life-cycle.ts'
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

/** The port and URL of a simulator. `hint` says what to do while there is none. */
export function addressOf(
  { current }: Pick<LifeCycle<ServerInstance>, 'current'>,
  { host, hint }: { host: string; hint: string },
) {
  const port = () => {
    const open = current()?.port()
    if (open === undefined) throw new NotListeningError(hint)
    return open
  }
  return { port, url: () => `http://${host.includes(':') ? `[${host}]` : host}:${port()}` }
}

/** Passes requests to the current instance. Before the first start, a request starts one without a port. */
export function createHandler(
  { currentOrFirst }: Pick<LifeCycle<ServerInstance>, 'currentOrFirst'>,
  log: (entry: LogEntry) => void,
): RequestHandler {
  return (request, response) => {
    currentOrFirst().then(
      (instance) => (instance === undefined ? cut(request, response) : instance.handle(request, response)),
      (error: Error) => {
        log({ level: 'error', event: 'load-failed', reason: error.message })
        cut(request, response)
      },
    )
  }
}

/** The server is not running: the connection breaks. */
const cut: RequestHandler = (_request, response) => {
  response.destroy()
}
