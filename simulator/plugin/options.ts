import { checkCount, checkPort } from '../server/check-option.ts'
import { type Log, type LogEntry, resolveLog } from '../server/log.ts'
import { type Hooks, hooksFor, type Override } from './hooks/hooks.ts'
import type { Rule } from './model/rule.ts'
import type { Profile } from './profile/profile.ts'
import { resolveProfile } from './profile/resolve-profile.ts'
import { resolveWording, type WordingOptions } from './profile/wording.ts'
import type { PluginIdentity } from './service.ts'
import type { Parameters } from './store/copy-parameters.ts'
import { encodeRules } from './store/file-format.ts'
import { diskRulesFile, memoryRulesFile, type RulesFile } from './store/rules-file.ts'

/** What a user may say about a simulator. All of it may be left out. */
export interface SimulatorOptions extends WordingOptions {
  /** Port to listen on; 0 finds a free one. Default: the parameter `API_Port`, or else 8443. */
  readonly port?: number
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /** The plugin parameters `API_Key`, `API_Port` and `Copy_N`. Default: none, so that the API is disabled. */
  readonly parameters?: Parameters
  /** Short for the parameter `API_Key`. */
  readonly apiKey?: string
  /** Folder of the rules file. Default: no folder; the file is kept in memory, as long as the simulator. */
  readonly dataDir?: string
  /** Where the rules file is kept instead, e.g. a `memoryRulesFile()` that outlives the simulator. */
  readonly rulesFile?: RulesFile
  /** The list of the first start, in place of what `Copy_N` say; kept in memory, without a folder. */
  readonly rules?: readonly Rule[]
  /** The most rules that can be added. Default: 1000. */
  readonly capacity?: number
  /** Answers to the questions that the specification leaves open; the others keep their defaults. */
  readonly profile?: Partial<Profile>
  /** Replaces single decisions, e.g. to be wrong on purpose. */
  readonly override?: Override
  /** What GET /api/status says. Default: `Service Copy Trade`, `1.0`, license active. */
  readonly plugin?: Partial<PluginIdentity>
  /** How many requests the journal keeps; 0 keeps none. Default: 1000. */
  readonly journal?: number
  /** How long a request may take to arrive as a whole. Default: 30 s. */
  readonly requestTimeoutMs?: number
  /** Where log entries go: a function, or a logger such as pino. Never told the key. */
  readonly log?: Log
}

/** The options, complete. */
export interface ResolvedOptions {
  readonly port: number | undefined
  readonly host: string
  readonly parameters: Parameters
  readonly file: RulesFile
  readonly capacity: number
  readonly hooks: Hooks
  /** One answer for every question. */
  readonly profile: Profile
  readonly plugin: PluginIdentity
  readonly journal: number
  readonly requestTimeoutMs: number
  readonly log: (entry: LogEntry) => void
}

const defaultCapacity = 1000
const defaultJournal = 1000
const defaultRequestTimeoutMs = 30_000

/** @throws InvalidOptionError, UnknownQuestionError, UnknownAnswerError, UnknownWordingError */
export function resolveOptions(options: SimulatorOptions): ResolvedOptions {
  const { port, host = '127.0.0.1', parameters = {}, apiKey, dataDir, override } = options
  const profile = resolveProfile(options.profile)
  const hooks = hooksFor(profile, resolveWording(options))
  if (port !== undefined) checkPort('port', port)
  return {
    port,
    host,
    parameters: apiKey === undefined ? { ...parameters } : { ...parameters, API_Key: apiKey },
    file: options.rulesFile ?? (dataDir === undefined ? fileOf(options.rules) : diskRulesFile(dataDir)),
    capacity: checkCapacity(options.capacity ?? defaultCapacity),
    hooks: { ...hooks, ...override?.(hooks) },
    profile,
    plugin: { name: 'Service Copy Trade', version: '1.0', licenseActive: true, ...options.plugin },
    journal: checkCount('journal', options.journal ?? defaultJournal),
    requestTimeoutMs: options.requestTimeoutMs ?? defaultRequestTimeoutMs,
    log: resolveLog(options.log),
  }
}

function fileOf(rules: readonly Rule[] | undefined): RulesFile {
  return memoryRulesFile(rules && encodeRules(rules))
}

/** @throws InvalidOptionError */
export function checkCapacity(capacity: number): number {
  return checkCount('capacity', capacity)
}

/**
 * The port to listen on: the option, or else the parameter `API_Port`, or else the default (clause 8).
 *
 * @throws InvalidOptionError
 */
export function resolvePort(
  { port, hooks }: Pick<ResolvedOptions, 'port' | 'hooks'>,
  { API_Port: parameter = '' }: Parameters,
): number {
  if (port !== undefined) return port
  if (parameter === '') return hooks.defaultPort
  return checkPort('API_Port', /^\d+$/.test(parameter) ? Number(parameter) : Number.NaN)
}
