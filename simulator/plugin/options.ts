import { check, checkNames, checkOptions, given, InvalidOptionError, type OptionKinds } from '../server/check-option.ts'
import { type Log, resolveLog } from '../server/log.ts'
import { overrideHooks } from '../server/override-hooks.ts'
import { type Hooks, hooksFor, type Override } from './hooks/hooks.ts'
import { type RuleInput, toRules } from './model/rule-input.ts'
import { type Profile, resolveProfile } from './profile/profile.ts'
import { defaultWording, resolveWording, type WordingOptions } from './profile/wording.ts'
import type { Parameters } from './store/copy-parameters.ts'
import { encodeRules } from './store/file-format.ts'
import { diskRulesFile, memoryRulesFile, type RulesFile } from './store/rules-file.ts'

/** The identity that the plugin reports in GET /api/status. */
export interface PluginIdentity {
  readonly name: string
  readonly version: string
  readonly licenseActive: boolean
}

/** The options of a simulator. All are optional. */
export interface SimulatorOptions extends WordingOptions {
  /** The port to listen on; 0 picks a free one. Default: the parameter `API_Port`, or else 8443. */
  readonly port?: number
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /** The plugin parameters `API_Key`, `API_Port` and `Copy_N`. Default: none, so that the API is disabled. */
  readonly parameters?: Parameters
  /** Shorthand for the parameter `API_Key`. */
  readonly apiKey?: string
  /** Folder of the rules file. Default: no folder; the file is in memory. */
  readonly dataDir?: string
  /**
   * Whether a change is synced to disk before its response. Default: true. Without it, a crash of the machine can lose
   * changes.
   */
  readonly fsync?: boolean
  /** The rules file to use instead, e.g. a `memoryRulesFile()` that outlives the simulator. */
  readonly rulesFile?: RulesFile
  /** The rules of the first start, instead of the `Copy_N` parameters. Stored in memory: not with a folder or a file. */
  readonly rules?: readonly RuleInput[]
  /** The maximum number of rules. Default: 1000. */
  readonly capacity?: number
  /** Answers to the questions that the specification leaves open. Default: the default of each question. */
  readonly profile?: Partial<Profile>
  /** Replaces single hooks, e.g. to be wrong on purpose. */
  readonly override?: Override
  /** What GET /api/status reports. Default: `Service Copy Trade`, `1.0`, license active. */
  readonly plugin?: Partial<PluginIdentity>
  /** How many requests the journal holds; 0 turns it off. Default: 1000. */
  readonly journal?: number
  /** How long a request may take to arrive as a whole. Default: 30 s. */
  readonly requestTimeoutMs?: number
  /** Receives log entries: a function, or a logger such as pino. Never receives the key. */
  readonly log?: Log
}

const optionKinds: OptionKinds<SimulatorOptions> = {
  port: 'port',
  host: 'host',
  parameters: 'strings',
  apiKey: 'string',
  dataDir: 'string',
  fsync: 'boolean',
  rulesFile: 'file',
  rules: 'list',
  capacity: 'count',
  profile: 'object',
  override: 'function',
  plugin: 'object',
  journal: 'count',
  requestTimeoutMs: 'count',
  log: 'log',
  errorTexts: 'strings',
  reasonPhrases: 'headers',
  headers: 'headers',
}

const identityKinds: OptionKinds<PluginIdentity> = { name: 'string', version: 'string', licenseActive: 'boolean' }

/** The options with all defaults. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>

/** @throws InvalidOptionError, UnknownOptionError, InvalidRuleError, UnknownQuestionError, UnknownAnswerError */
export function resolveOptions(options: SimulatorOptions) {
  checkOptions(options, optionKinds)
  const { plugin = {}, errorTexts = {}, headers = {} } = options
  checkOptions(plugin, identityKinds, 'plugin')
  checkNames(errorTexts, defaultWording.errorTexts, 'errorTexts')
  checkNames(headers, defaultWording.headers, 'headers')
  const { port, host = '127.0.0.1', parameters = {}, apiKey, rulesFile, dataDir, rules, override } = options
  const [holder, ignored] = Object.keys(given({ rulesFile, dataDir, rules }))
  if (ignored !== undefined) throw new InvalidOptionError(ignored, `left out beside ${holder}, which holds the list`)
  const profile = resolveProfile(options.profile)
  const wording = resolveWording({ ...options, errorTexts: given(errorTexts), headers: given(headers) })
  const hooks: Hooks = hooksFor(profile, wording)
  const inMemory = () => memoryRulesFile(rules && encodeRules(toRules(rules)))
  const file = rulesFile ?? (dataDir === undefined ? inMemory() : diskRulesFile(dataDir, options.fsync))
  return {
    port,
    host,
    parameters: given(apiKey === undefined ? parameters : { ...parameters, API_Key: apiKey }) as Parameters,
    file,
    capacity: options.capacity ?? 1000,
    hooks: overrideHooks(hooks, (known) => override?.(known, file) ?? {}),
    profile,
    plugin: { name: 'Service Copy Trade', version: '1.0', licenseActive: true, ...given(plugin) },
    journal: options.journal ?? 1000,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    log: resolveLog(options.log),
  }
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
  return check('API_Port', /^\d+$/.test(parameter) ? Number(parameter) : Number.NaN, 'port')
}
