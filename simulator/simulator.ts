import { type Control, createControl } from './control/control.ts'
import { controlledPlugin } from './control/controlled-plugin.ts'
import type { Rule } from './plugin/model/rule.ts'
import { resolveOptions, type SimulatorOptions } from './plugin/options.ts'
import type { RulesFile } from './plugin/store/rules-file.ts'
import { type RunnableServer, runnable } from './server/address.ts'

/** A copy-trade plugin that behaves as the specification says. */
export interface Simulator extends RunnableServer {
  /**
   * Loads the rules and opens the port. While `API_Key` is empty the port stays closed, unless the profile says
   * otherwise. Has no effect if the simulator is already started.
   * @throws CannotStartError, PortUnavailableError, InvalidOptionError
   */
  readonly start: () => Promise<void>
  /**
   * Stops and starts again. Port 0 keeps the port of the first start while it is free. A simulator that was only used
   * through `callback()` still opens no port.
   */
  readonly restart: Control['restart']
  /** The rules as clients see them; none while it is stopped. */
  readonly rules: readonly Rule[]
  /** Everything outside the API: rules, restarts, snapshots, faults, the journal and the client report. */
  readonly control: Control
  /** The rules file, which a test can read, damage or remove. */
  readonly rulesFile: RulesFile
}

const hint = 'Await start() first, and give an API key: without one the API is disabled and the port stays closed.'

/**
 * A simulator, not yet started.
 *
 * @throws InvalidOptionError, UnknownOptionError, InvalidRuleError, UnknownQuestionError, UnknownAnswerError
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const resolved = resolveOptions(options)
  const plugin = controlledPlugin(resolved)
  const { lifeCycle } = plugin
  const control = createControl(plugin)
  return runnable(
    lifeCycle,
    { ...resolved, hint },
    {
      restart: control.restart,
      control,
      get rules() {
        return control.rules()
      },
      rulesFile: resolved.file,
    },
  )
}
