import type { Rule } from '../plugin/model/rule.ts'
import type { RuleList } from '../plugin/model/rule-list.ts'
import type { Parameters } from '../plugin/store/copy-parameters.ts'
import type { RulesFile } from '../plugin/store/rules-file.ts'

/** The state of a plugin that can change while it runs. */
export interface PluginState {
  /** Undefined if the plugin is not running: a start then loads them from the file. */
  readonly rules: RuleList | undefined
  /** The bytes of the rules file; undefined if there is none. */
  readonly file: Uint8Array | undefined
  readonly parameters: Parameters
  readonly capacity: number
  readonly licenseActive: boolean
}

/** The current instance of the plugin. */
export interface RunningPlugin {
  readonly rules: () => RuleList
  readonly parameters: Parameters
  /** Runs `change` while no client changes the list, and publishes the list that it returns, if any. */
  readonly serialised: (change: () => Promise<RuleList | undefined>) => Promise<void>
}

/** What the control needs of a plugin. */
export interface ControlledPlugin {
  /** Undefined after a stop or a crash. Before the first start it starts the plugin. */
  readonly currentOrFirst: () => Promise<RunningPlugin | undefined>
  readonly current: () => RunningPlugin | undefined
  /** Stops, runs `change`, and starts. */
  readonly restart: (
    changes: Pick<Partial<PluginState>, 'parameters' | 'capacity'>,
    change?: () => Promise<void>,
  ) => Promise<void>
  readonly crash: () => Promise<void>
  readonly file: RulesFile
  /** The rule as the plugin stores it after `rules`. @throws ErrorResponse if no client could add it */
  readonly admitRule: (rule: Rule, rules: RuleList) => Rule
  readonly encodeFile: (rules: RuleList) => Uint8Array
  readonly parameters: () => Parameters
  readonly setParameters: (parameters: Parameters) => void
  readonly capacity: () => number
  /** @throws InvalidOptionError */
  readonly setCapacity: (capacity: number) => void
  readonly licenseActive: () => boolean
  readonly setLicenseActive: (active: boolean) => void
}

/** The state, read while no client changes it. */
export async function captureState(plugin: ControlledPlugin): Promise<PluginState> {
  const captured: PluginState[] = []
  await plugin.current()?.serialised(async () => {
    captured.push(await readState(plugin))
    return undefined
  })
  return captured[0] ?? readState(plugin)
}

async function readState({
  file,
  parameters,
  capacity,
  licenseActive,
  current: present,
}: ControlledPlugin): Promise<PluginState> {
  return {
    rules: present()?.rules(),
    // A file that cannot be read is not part of the state, since it cannot be restored.
    file: await file.read().catch(() => undefined),
    parameters: parameters(),
    capacity: capacity(),
    licenseActive: licenseActive(),
  }
}

/**
 * Restores a state. A plugin that runs with the same parameters stays running, and no client sees a state
 * in between. Otherwise, and if the state has no rules, the plugin is restarted. `also` runs in the same
 * step in which the state becomes visible.
 */
export async function restoreState(
  plugin: ControlledPlugin,
  state: PluginState,
  also: () => void = () => undefined,
): Promise<void> {
  const { rules, parameters, capacity, licenseActive } = state
  const running = plugin.current()
  const putFile = () => writeOrRemove(plugin.file, state.file)
  if (running === undefined || rules === undefined || !sameParameters(running.parameters, parameters)) {
    await plugin.restart({ parameters, capacity }, putFile)
  }
  // The rules that a start loads may differ from those of the state, e.g. beyond the capacity.
  await plugin.current()?.serialised(async () => {
    if (rules !== undefined) await putFile()
    // No `await` from here until the rules are published.
    plugin.setCapacity(capacity)
    plugin.setLicenseActive(licenseActive)
    plugin.setParameters(parameters)
    also()
    return rules
  })
}

function sameParameters(one: Parameters, other: Parameters): boolean {
  const [names, otherNames] = [Object.keys(one), Object.keys(other)]
  return names.length === otherNames.length && names.every((name) => one[name] === other[name])
}

async function writeOrRemove(file: RulesFile, bytes: Uint8Array | undefined): Promise<void> {
  await (bytes === undefined ? file.remove() : file.write(bytes))
}
