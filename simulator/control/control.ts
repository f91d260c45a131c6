import type { Changes } from '../plugin/life-cycle.ts'
import type { Rule } from '../plugin/model/rule.ts'
import { InvalidRuleError, type RuleInput, toRules } from '../plugin/model/rule-input.ts'
import { arrayOf, type RuleList } from '../plugin/model/rule-list.ts'
import type { Profile } from '../plugin/profile/profile.ts'
import { admitRule } from '../plugin/stages/operations.ts'
import type { Parameters } from '../plugin/store/copy-parameters.ts'
import { check, checkOptions, type OptionKinds } from '../server/check-option.ts'
import type { Clock } from '../server/clock.ts'
import { ErrorResponse } from '../server/response.ts'
import { type ControlledPlugin, captureState, type PluginState, restoreState } from './controlled-plugin.ts'
import type { FaultList } from './faults/fault-list.ts'
import { type ClientReport, reportOnClient } from './journal/client-report.ts'
import type { Journal } from './journal/journal.ts'
import { followMistakes, type Mistake } from './journal/mistakes.ts'

/** What happens while the plugin is stopped. */
export interface StopOptions {
  readonly deleteRulesFile?: boolean
}

interface RestartOptions extends StopOptions, Changes {}

const stopKinds: OptionKinds<StopOptions> = { deleteRulesFile: 'boolean' }
const restartKinds: OptionKinds<RestartOptions> = { ...stopKinds, parameters: 'strings', capacity: 'count' }

/**
 * Controls a simulator outside its API, for tests that need a plugin that misbehaves, restarts or resets.
 * @example
 * ```ts
 * const { control } = simulator
 * control.faults.add({ when: { method: 'POST' }, effect: { kind: 'lose-answer' }, times: 1 })
 * await letTheClientAddARule()
 * expect(control.clientReport().mistakes).toEqual([])
 * await control.reset()
 * ```
 */
export interface Control {
  /** The rules as clients see them; none while it is stopped. */
  readonly rules: () => readonly Rule[]
  /** Replaces the list and its file. The rules must be valid; the capacity is not checked. @throws InvalidRuleError, NotRunningError */
  readonly replaceRules: (rules: readonly RuleInput[]) => Promise<void>
  readonly parameters: () => Parameters
  /** Replaces all parameters from the next start on. @throws InvalidOptionError */
  readonly replaceParameters: (parameters: Parameters) => void
  readonly capacity: () => number
  /** Takes effect at once; existing rules beyond it stay. @throws InvalidOptionError */
  readonly setCapacity: (capacity: number) => void
  readonly licenseActive: () => boolean
  /** Sets what GET /api/status reports. */
  readonly setLicenseActive: (active: boolean) => void
  /** Whether the plugin is running: not stopped, not crashed. */
  readonly running: () => boolean
  /** The answer to each question that the specification leaves open. */
  readonly profile: Profile
  /** Stops and starts again; starts a plugin that has stopped or crashed. @throws CannotStartError, PortUnavailableError */
  readonly restart: (options?: RestartOptions) => Promise<void>
  /** Crashes: destroys all connections, saves nothing, discards the rules in memory. */
  readonly crash: (options?: StopOptions) => Promise<void>
  /**
   * Restores the state of the first start: rules, file, parameters, capacity, license. Clears faults,
   * journal and their counters, resets the clock, and breaks the connections of requests that a fault
   * delays. Named snapshots stay. No client sees a state in between. A plugin that has stopped or
   * crashed is restarted.
   */
  readonly reset: () => Promise<void>
  /** Stores rules, file, parameters, capacity and license under a name; replaces an older snapshot of that name. */
  readonly snapshot: (name: string) => Promise<void>
  /** Restores a snapshot, like `reset`; faults, journal and clock stay. @throws NoSnapshotError */
  readonly restore: (name: string) => Promise<void>
  readonly snapshots: () => readonly string[]
  /** The faults, in order: the first one that matches a request and is due is played. See `Effect` for faults of the store. */
  readonly faults: Omit<FaultList, 'next' | 'asksForBody' | 'isEmpty' | 'hasWriteFault'>
  /** The recorded requests, each with the decision and its reason. */
  readonly journal: Journal
  /** The clock of the journal. */
  readonly clock: Clock
  /** What the requests in the journal show about the client. */
  readonly clientReport: () => ClientReport
  /** Calls the listener for each mistake in the journal, and then for each new one; returns a function that ends the subscription. */
  readonly followMistakes: (listener: (mistake: Mistake) => void) => () => void
  /** Calls the listener when anything but the journal has changed, except by requests; returns a function that ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void
  /** Calls the listener after each reset, with the client report that the reset has cleared; returns a function that ends the subscription. */
  readonly onReset: (listener: (lost: () => ClientReport) => void) => () => void
}

/** There is no snapshot of that name. */
export class NoSnapshotError extends Error {
  override readonly name = 'NoSnapshotError'
  readonly hint: string

  constructor(name: string, names: readonly string[]) {
    super(`There is no snapshot ${name}.`)
    this.hint = names.length === 0 ? 'No snapshot has been taken yet.' : `Use one of: ${names.join(', ')}.`
  }
}

/** The simulator is stopped or has crashed. */
export class NotRunningError extends Error {
  override readonly name = 'NotRunningError'
  readonly hint = 'Start or restart the simulator first.'
}

export function createControl(plugin: ControlledPlugin): Control {
  const { lifeCycle, profile, faults, journal, changes } = plugin
  const { settings } = lifeCycle
  const notifying =
    <Value>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      changes.notify()
    }
  return {
    ...runControls(plugin),
    ...snapshotControls(plugin),
    rules: () => arrayOf(lifeCycle.current()?.list.rules() ?? []),
    replaceRules: async (input) => {
      const rules = validRules(toRules(check('rules', input, 'list')), plugin)
      const running = await lifeCycle.currentOrFirst()
      if (running === undefined) throw new NotRunningError('The simulator is not running.')
      await running.serialised(async () => {
        await plugin.file.write(plugin.hooks.encodeFile(rules))
        return rules
      })
      changes.notify()
    },
    parameters: lifeCycle.parameters,
    replaceParameters: notifying(lifeCycle.setParameters),
    capacity: () => settings.capacity,
    setCapacity: notifying((capacity) => {
      settings.capacity = check('capacity', capacity, 'count')
    }),
    licenseActive: () => settings.licenseActive,
    setLicenseActive: notifying((active) => {
      settings.licenseActive = check('active', active, 'boolean')
    }),
    running: () => lifeCycle.current() !== undefined,
    profile,
    faults,
    journal,
    clock: journal.clock,
    clientReport: () => reportOnClient(journal.records(), journal.forgotten()),
    followMistakes: (listener) => followMistakes(journal, listener),
    subscribe: changes.subscribe,
    onReset: plugin.resets.subscribe,
  }
}

function runControls(plugin: ControlledPlugin) {
  const { lifeCycle, file, faults, journal } = plugin
  const removed = async ({ deleteRulesFile = false }: StopOptions) => {
    if (deleteRulesFile) await file.remove()
  }
  return {
    restart: async (options: RestartOptions = {}) => {
      checkOptions(options, restartKinds)
      await lifeCycle.restart(options, () => removed(options))
    },
    crash: async (options: StopOptions = {}) => {
      checkOptions(options, stopKinds)
      await lifeCycle.crash()
      await removed(options)
    },
    reset: async () => {
      await lifeCycle.currentOrFirst()
      // The first start has captured it.
      const state = plugin.initialState() as PluginState
      let lost: () => ClientReport = () => reportOnClient([], 0)
      await restoreState(plugin, state, () => {
        const [stored, forgotten] = [journal.records(), journal.forgotten()]
        lost = () => reportOnClient(stored, forgotten)
        plugin.release()
        faults.clear()
        journal.clock.reset()
        journal.reset()
      })
      plugin.resets.notify(lost)
      plugin.changes.notify()
    },
  }
}

function snapshotControls(plugin: ControlledPlugin) {
  const stored = new Map<string, PluginState>()
  return {
    snapshot: async (name: string) => {
      await plugin.lifeCycle.currentOrFirst()
      stored.set(name, await captureState(plugin))
      plugin.changes.notify()
    },
    restore: async (name: string) => {
      const state = stored.get(name)
      if (state === undefined) throw new NoSnapshotError(name, [...stored.keys()])
      await restoreState(plugin, state)
      plugin.changes.notify()
    },
    snapshots: () => [...stored.keys()],
  }
}

function validRules(input: RuleList, { hooks }: ControlledPlugin): RuleList {
  const rules: Rule[] = []
  for (const [index, rule] of input.entries()) {
    try {
      rules.push(admitRule(rule, rules, hooks))
    } catch (error) {
      if (!(error instanceof ErrorResponse)) throw error
      throw new InvalidRuleError(`Rule ${index + 1} of ${input.length}: ${error.message}`)
    }
  }
  return rules
}
