import type { RequestHandler } from './app.ts'
import type { ServerInstance } from './instance.ts'
import type { LifeCycle } from './life-cycle.ts'
import type { LogEntry } from './log.ts'

/** There is no port to reach the simulator at. */
export class NotListeningError extends Error {
  override readonly name = 'NotListeningError'
  readonly hint: string

  constructor(hint: string) {
    super('The simulator listens on no port.')
    this.hint = hint
  }
}

/** What both simulators show of their port. `hint` says what to do while there is none. */
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

/** Hands requests to the present life, or to the first one, which they begin. */
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

/** Nobody answers: the server is not running. */
const cut: RequestHandler = (_request, response) => {
  response.destroy()
}
