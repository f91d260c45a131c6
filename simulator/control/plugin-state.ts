import type { Rule } from '../plugin/model/rule.ts'
import type { RuleList } from '../plugin/model/rule-list.ts'
import type { Parameters } from '../plugin/store/copy-parameters.ts'
import type { RulesFile } from '../plugin/store/rules-file.ts'

/** Everything about a plugin that requests, restarts and switches can change. */
export interface PluginState {
  /** Undefined of a plugin that is dead: what a start makes of the file. */
  readonly rules: RuleList | undefined
  /** The bytes of the rules file; undefined where there is none. */
  readonly file: Uint8Array | undefined
  readonly parameters: Parameters
  readonly capacity: number
  readonly licenseActive: boolean
}

/** The plugin in its present life. */
export interface RunningPlugin {
  readonly rules: () => RuleList
  readonly parameters: Parameters
  /** Runs `change` while no client changes the list, and publishes the list that it returns, if any. */
  readonly serialised: (change: () => Promise<RuleList | undefined>) => Promise<void>
}

/** What the control plane can do to a plugin. */
export interface ControlledPlugin {
  /** Undefined after a stop or a crash; begins the first life. */
  readonly currentOrFirst: () => Promise<RunningPlugin | undefined>
  readonly current: () => RunningPlugin | undefined
  /** Stops, runs `change`, and starts; only starts what has stopped or crashed. */
  readonly restart: (
    changes: Pick<Partial<PluginState>, 'parameters' | 'capacity'>,
    change?: () => Promise<void>,
  ) => Promise<void>
  readonly crash: () => Promise<void>
  readonly file: RulesFile
  /** The rule as the plugin keeps it behind `rules`. @throws Refusal where no client could add it */
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

/** The state as it is between two changes of clients. */
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
    // A file that cannot be read is part of no state: there is nothing to put back.
    file: await file.read().catch(() => undefined),
    parameters: parameters(),
    capacity: capacity(),
    licenseActive: licenseActive(),
  }
}

/**
 * Brings a state back. A plugin that runs with the same parameters goes on running, and no client
 * sees anything in between; any other is restarted, as is one whose rules only a start can tell.
 * `also` runs at the moment when they see it.
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
  // What a start makes of a file may differ from what was there, e.g. beyond the capacity.
  await plugin.current()?.serialised(async () => {
    if (rules !== undefined) await putFile()
    // Nothing is waited for from here to the moment when clients see the rules.
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
