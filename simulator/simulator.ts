import type { Control } from './control/control.ts'
import { createControlledPlugin } from './controlled-plugin.ts'
import type { Changes } from './plugin/life-cycle.ts'
import type { Rule } from './plugin/model/rule.ts'
import { resolveOptions, type SimulatorOptions } from './plugin/options.ts'
import type { Parameters } from './plugin/store/copy-parameters.ts'
import type { RulesFile } from './plugin/store/rules-file.ts'
import { addressOf, createHandler } from './server/address.ts'
import type { RequestHandler } from './server/app.ts'

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
  /** Rules, restarts, snapshots, faults, the journal and what it says of a client: all that is not in the API. */
  readonly control: Control
  /** The rules file, to be read, damaged or removed by a test. */
  readonly rulesFile: RulesFile
  /**
   * A handler for `supertest`, `light-my-request` or a server of your own. The first request loads
   * the rules if nothing was started before; after a stop or a crash connections are cut. Such a
   * server answers requests that are not valid HTTP itself, so the profile does not reach those.
   */
  readonly callback: () => RequestHandler
}

const hint = 'Await start() first, and give an API key: without one the API is disabled and the port stays closed.'

/**
 * A simulator, not yet started.
 *
 * @throws InvalidOptionError, UnknownQuestionError, UnknownAnswerError, UnknownWordingError
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const resolved = resolveOptions(options)
  const { lifeCycle, control } = createControlledPlugin(resolved)
  const { start, stop, restart, crash } = lifeCycle
  const front = addressOf(lifeCycle, { host: resolved.host, hint })
  return {
    start,
    stop,
    restart: (changes = {}) => restart(changes),
    crash,
    control,
    get url() {
      return front.url()
    },
    get port() {
      return front.port()
    },
    get running() {
      return lifeCycle.current() !== undefined
    },
    get rules() {
      return control.rules()
    },
    get parameters() {
      return lifeCycle.parameters()
    },
    setParameters: lifeCycle.setParameters,
    rulesFile: resolved.file,
    callback: () => createHandler(lifeCycle, resolved.log),
    [Symbol.asyncDispose]: stop,
  }
}
