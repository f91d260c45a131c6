import type { RequestHandler } from './app.ts'
import type { Life, LifeCycle } from './life-cycle.ts'
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
export function frontOf({ present }: Pick<LifeCycle<Life>, 'present'>, { host, hint }: { host: string; hint: string }) {
  const port = () => {
    const open = present()?.port()
    if (open === undefined) throw new NotListeningError(hint)
    return open
  }
  return { port, url: () => `http://${host.includes(':') ? `[${host}]` : host}:${port()}` }
}

/** Hands requests to the present life, or to the first one, which they begin. */
export function handIn(
  { firstOrPresent }: Pick<LifeCycle<Life>, 'firstOrPresent'>,
  log: (entry: LogEntry) => void,
): RequestHandler {
  return (request, response) => {
    firstOrPresent().then(
      (life) => (life === undefined ? cut(request, response) : life.handle(request, response)),
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
