import type { RequestHandler } from './http/app.ts'
import { type Changes, lifeCycle } from './life-cycle.ts'
import type { Rule } from './model/rule.ts'
import { resolveOptions, type SimulatorOptions } from './options.ts'
import type { Parameters } from './store/copy-parameters.ts'
import type { RulesFile } from './store/rules-file.ts'

/** A copy-trade plugin that answers as the specification says. */
export interface Simulator extends AsyncDisposable {
  /**
   * Loads the rules and opens the port. While `API_Key` is empty the port stays closed, unless the
   * profile says otherwise. Does nothing if it is started already.
   *
   * @throws RefusesToStartError, PortUnavailableError, InvalidOptionError
   */
  readonly start: () => Promise<void>
  /** Finishes requests in flight, then closes everything. Does nothing if it is not started. */
  readonly stop: () => Promise<void>
  /**
   * Stops and starts again. Port 0 keeps the port found first, as long as it is free. A simulator
   * that was only ever used through `callback()` goes on without a port.
   */
  readonly restart: (changes?: Changes) => Promise<void>
  /** Dies: cuts all connections, saves nothing, forgets the rules in memory. */
  readonly crash: () => Promise<void>
  /** E.g. `http://127.0.0.1:1234`. @throws NotListeningError */
  readonly url: string
  /** @throws NotListeningError */
  readonly port: number
  /** Whether it is alive: started, or loaded by the first request to `callback()`. */
  readonly running: boolean
  /** The rules as clients see them; none while it is stopped. */
  readonly rules: readonly Rule[]
  readonly parameters: Parameters
  /** Takes the place of all parameters; counts from the next start. */
  readonly setParameters: (parameters: Parameters) => void
  /** The rules file, to be read, damaged or removed by a test. */
  readonly rulesFile: RulesFile
  /**
   * A handler for `supertest`, `light-my-request` or a server of your own. The first request loads
   * the rules if nothing was started before; after a stop or a crash connections are cut. Such a
   * server answers requests that are not valid HTTP itself, so the profile does not reach those.
   */
  readonly callback: () => RequestHandler
}

/** There is no port to reach the simulator at. */
export class NotListeningError extends Error {
  override readonly name = 'NotListeningError'
  readonly hint = 'Await start() first, and give an API key: without one the API is disabled and the port stays closed.'
}

/**
 * A simulator, not yet started.
 *
 * @throws InvalidOptionError, UnknownQuestionError, UnknownAnswerError, UnknownWordingError
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const resolved = resolveOptions(options)
  const { start, stop, restart, crash, ...cycle } = lifeCycle(resolved)
  const port = () => {
    const open = cycle.present()?.port()
    if (open === undefined) throw new NotListeningError('The simulator listens on no port.')
    return open
  }
  return {
    start,
    stop,
    restart: (changes = {}) => restart(changes),
    crash,
    get url() {
      const { host } = resolved
      return `http://${host.includes(':') ? `[${host}]` : host}:${port()}`
    },
    get port() {
      return port()
    },
    get running() {
      return cycle.present() !== undefined
    },
    get rules() {
      return cycle.present()?.list.rules() ?? []
    },
    get parameters() {
      return cycle.parameters()
    },
    setParameters: cycle.setParameters,
    rulesFile: resolved.file,
    callback: () => handIn(cycle.firstOrPresent, resolved),
    [Symbol.asyncDispose]: stop,
  }
}

type Alive = { readonly handle: RequestHandler } | undefined

function handIn(alive: () => Promise<Alive>, { log }: ReturnType<typeof resolveOptions>): RequestHandler {
  return (request, response) => {
    alive().then(
      (life) => (life === undefined ? cut(request, response) : life.handle(request, response)),
      (error: Error) => {
        log({ level: 'error', event: 'load-failed', reason: error.message })
        cut(request, response)
      },
    )
  }
}

/** Nobody answers: the plugin is not running. */
const cut: RequestHandler = (_request, response) => {
  response.destroy()
}
