import { type Direction, directions, type Mode, modes, type Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Parameters } from '../store/copy-parameters.ts'
import type { Clock } from './clock.ts'
import type { FaultList } from './faults/fault-list.ts'
import { type ClientReport, reportOnClient } from './journal/client-report.ts'
import type { Journal, JournalBook } from './journal/journal.ts'
import { type Controlled, putState, type State, takeState } from './state.ts'

/** A rule as a person gives it: logins as numbers or, beyond 2^53, as bigint. */
export interface GivenRule {
  readonly master: number | bigint
  readonly follower: number | bigint
  readonly mode: Mode
  readonly value: number
  readonly direction: Direction
}

/** Whether the rules file goes away in between. */
export interface Between {
  readonly deleteRulesFile?: boolean
}

/** Everything that can be done to a simulator from outside its API. */
export interface Control {
  /** The rules as clients see them; none while it is stopped. */
  readonly rules: () => readonly Rule[]
  /** Replaces the list and its file between two changes of clients. @throws InvalidRuleError, NotRunningError */
  readonly replaceRules: (rules: readonly GivenRule[]) => Promise<void>
  readonly parameters: () => Parameters
  /** Takes the place of all parameters; counts from the next start. */
  readonly replaceParameters: (parameters: Parameters) => void
  readonly capacity: () => number
  /** Counts at once; rules beyond it stay. @throws InvalidOptionError */
  readonly setCapacity: (capacity: number) => void
  readonly licenseActive: () => boolean
  /** What GET /api/status says from now on. */
  readonly setLicenseActive: (active: boolean) => void
  /** Stops and starts again, also what has stopped or crashed. */
  readonly restart: (between?: Between & { readonly parameters?: Parameters }) => Promise<void>
  /** Dies: cuts all connections, saves nothing, forgets the rules in memory. */
  readonly crash: (between?: Between) => Promise<void>
  /**
   * Everything as it was when the simulator began: rules, file, parameters, capacity, license. Faults,
   * journal and clock are reset; named snapshots stay. No client sees a state in between.
   */
  readonly reset: () => Promise<void>
  /** Keeps rules, file, parameters, capacity and license under a name. */
  readonly snapshot: (name: string) => Promise<void>
  /** Brings them back. @throws NoSnapshotError */
  readonly restore: (name: string) => Promise<void>
  readonly snapshots: () => readonly string[]
  readonly faults: Omit<FaultList, 'next' | 'asksForBody'>
  readonly journal: Journal
  readonly clock: Clock
  /** What the requests in the journal say about the client that sent them. */
  readonly clientReport: () => ClientReport
}

/** There is no snapshot of that name. */
export class NoSnapshotError extends Error {
  override readonly name = 'NoSnapshotError'
  readonly hint: string

  constructor(name: string, names: readonly string[]) {
    super(`There is no snapshot ${name}.`)
    this.hint = names.length === 0 ? 'No snapshot was taken yet.' : `There are: ${names.join(', ')}.`
  }
}

/** The simulator is stopped or has crashed. */
export class NotRunningError extends Error {
  override readonly name = 'NotRunningError'
  readonly hint = 'Start or restart the simulator first.'
}

/** A rule that no client could have added. */
export class InvalidRuleError extends Error {
  override readonly name = 'InvalidRuleError'
  readonly hint = 'A rule is { master, follower, mode: mult or fixed, value above 0, direction: same or reverse }.'
}

/** What a control is made of. */
export interface Parts {
  readonly plugin: Controlled
  readonly faults: FaultList
  readonly journal: JournalBook
  /** The state when the first life had begun; undefined before. */
  readonly initial: () => State | undefined
}

export function createControl({ plugin, faults, journal, initial }: Parts): Control {
  const kept = new Map<string, State>()
  const { clock } = journal
  const removed = (between: Between = {}) => (between.deleteRulesFile ? plugin.file.remove() : Promise.resolve())
  return {
    rules: () => plugin.present()?.rules() ?? [],
    replaceRules: async (given) => {
      const rules = given.map(toRule)
      const life = await plugin.alive()
      if (life === undefined) throw new NotRunningError('The simulator is not running.')
      await life.replaceRules(() => saved(rules, plugin))
    },
    parameters: plugin.parameters,
    replaceParameters: plugin.setParameters,
    capacity: plugin.capacity,
    setCapacity: plugin.setCapacity,
    licenseActive: plugin.licenseActive,
    setLicenseActive: plugin.setLicenseActive,
    restart: ({ parameters, ...between } = {}) =>
      plugin.restart(parameters === undefined ? {} : { parameters }, () => removed(between)),
    crash: async (between) => {
      await plugin.crash()
      await removed(between)
    },
    reset: async () => {
      faults.clear()
      clock.reset()
      await plugin.alive()
      const state = initial()
      if (state !== undefined) await putState(plugin, state)
      journal.clear()
    },
    snapshot: async (name) => {
      await plugin.alive()
      kept.set(name, await takeState(plugin))
    },
    restore: async (name) => {
      const state = kept.get(name)
      if (state === undefined) throw new NoSnapshotError(name, [...kept.keys()])
      await putState(plugin, state)
    },
    snapshots: () => [...kept.keys()],
    faults,
    journal,
    clock,
    clientReport: () => reportOnClient(journal.kept()),
  }
}

async function saved(rules: RuleList, { file, encodeFile }: Controlled): Promise<RuleList> {
  await file.write(encodeFile(rules))
  return rules
}

function toRule({ master, follower, mode, value, direction }: GivenRule): Rule {
  const known = modes.includes(mode) && directions.includes(direction)
  if (!known || !(value > 0 && Number.isFinite(value))) {
    throw new InvalidRuleError(`This is no rule: ${mode}, ${value}, ${direction}.`)
  }
  return { master: toLogin(master), follower: toLogin(follower), mode, value, direction }
}

function toLogin(login: number | bigint): bigint {
  if (typeof login === 'bigint' || Number.isSafeInteger(login)) return BigInt(login)
  throw new InvalidRuleError(`This is no login: ${login}. Give one above 2^53 as a bigint.`)
}
