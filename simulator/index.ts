/** The public API of the simulator: a plugin that follows the specification, and a profile for the rest. */

export { type Control, NoSnapshotError, NotRunningError, type StopOptions } from './control/control.ts'
export {
  type Effect,
  type EffectKind,
  type Fault,
  InvalidFaultError,
  type ListedFault,
  type When,
} from './control/faults/fault.ts'
export { FaultExistsError } from './control/faults/fault-list.ts'
export type { ClientReport, CoverageItem } from './control/journal/client-report.ts'
export type { JournalEntry } from './control/journal/journal.ts'
export { type EntryFilter, type Journal, type WaitOptions, WaitTimeoutError } from './control/journal/journal.ts'
export type { Mistake, MistakeKind } from './control/journal/mistakes.ts'
export type { ControlServer, ControlServerOptions } from './control/server/serve.ts'
export type { Hooks, Override } from './plugin/hooks/hooks.ts'
export { CannotStartError } from './plugin/hooks/start-up.ts'
export type { Changes } from './plugin/life-cycle.ts'
export type { Direction, Mode, Rule } from './plugin/model/rule.ts'
export { InvalidRuleError, type RuleInput } from './plugin/model/rule-input.ts'
export type { PluginIdentity, SimulatorOptions } from './plugin/options.ts'
export {
  defaultProfile,
  type Profile,
  resolveProfile,
  UnknownAnswerError,
  UnknownQuestionError,
} from './plugin/profile/profile.ts'
export { InvalidProfileError, type ProfileDocument, type ProfileOptions } from './plugin/profile/profile-document.ts'
export { parseProfile, readProfile } from './plugin/profile/read-profile.ts'
export type { ErrorTexts, WordedHeaders, Wording, WordingOptions } from './plugin/profile/wording.ts'
export type { Parameters } from './plugin/store/copy-parameters.ts'
export { memoryRulesFile, type RulesFile, rulesFileName } from './plugin/store/rules-file.ts'
export { type ServeControlOptions, serveControl } from './serve-control.ts'
export { NotListeningError } from './server/address.ts'
export type { RequestHandler } from './server/app.ts'
export { InvalidOptionError, UnknownOptionError } from './server/check-option.ts'
export type { Clock } from './server/clock.ts'
export { PortUnavailableError } from './server/listen.ts'
export type { Log, LogEntry, Logger, LogLevel } from './server/log.ts'
export { createSimulator, type Simulator } from './simulator.ts'
