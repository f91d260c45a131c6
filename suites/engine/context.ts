import { type Client, createClient } from '../http/client.ts'
import { createRawClient, type RawClient } from '../http/raw.ts'
import { createRecorder, type Recorder } from '../http/recorder.ts'
import { createRedactor } from '../safety/redact.ts'
import { createDrafts, type LoginRange } from '../session/logins.ts'
import { createPlugin, type Plugin } from '../session/plugin.ts'
import { createRules, type Rules } from '../session/rules.ts'
import { wrongKeys } from '../session/wrong-keys.ts'
import type { Driver } from '../targets/driver.ts'
import type { Target } from '../targets/target.ts'
import type { Draft, Rule } from '../vocabulary/rule.ts'
import type { Risk } from './check.ts'

/** How checks are run against a target; complete, resolved at the edge. Can be sent as a message. */
export interface JudgeSettings {
  readonly target: Target
  readonly risk: Risk
  readonly seed: number
  readonly logins: LoginRange
  readonly timeoutMs: number
  /** `null` for no ceiling. */
  readonly maxRequestsPerSecond: number | null
  readonly maxFill: number
  /** Texts that no output may contain: keys and secrets. */
  readonly secrets: readonly string[]
  /** Random text that the keys of servers which a check launches begin with; one of the secrets. */
  readonly launchKey: string
}

/** The vocabulary for one base URL, with the clients behind it. */
export interface Access {
  readonly client: Client
  readonly raw: RawClient
  readonly plugin: Plugin
  readonly rules: Rules
}

/** What the checks of one run share. */
export interface Context {
  readonly settings: JudgeSettings
  readonly driver: Driver | null
  readonly recorder: Recorder
  /** Takes every secret out of a text. */
  readonly redact: (text: string) => string
  readonly draft: (changes?: Partial<Draft>) => Draft
  /** Whether the kit itself started the target. */
  readonly owned: boolean
  readonly main: Access
  /** The list as it was before the first change; null until it is needed. */
  before: readonly Rule[] | null
  /** Rules that keep the list full from one check to the next. */
  readonly filler: Draft[]
  /** How many keys of launched servers were made. */
  launched: number
  /** Why the target can no longer be judged; null as long as it can. */
  gone: string | null
  access(url: string, key: string): Access
}

/** The context of a run; `driver` is null where the kit cannot start servers. */
export function createContext(settings: JudgeSettings, driver: Driver | null): Context {
  const { target } = settings
  const redact = createRedactor([...settings.secrets, settings.launchKey, ...wrongKeys(target.key)])
  const recorder = createRecorder(redact)
  const draft = createDrafts(settings.logins, settings.seed)
  const owned = target.server !== null

  const access = (url: string, key: string): Access => {
    const { timeoutMs } = settings
    const maxRequestsPerSecond = settings.maxRequestsPerSecond ?? Number.POSITIVE_INFINITY
    const client = createClient({ baseUrl: url, timeoutMs, maxRequestsPerSecond, recorder })
    const plugin = createPlugin(client, key)
    return {
      client,
      raw: createRawClient({ baseUrl: url, timeoutMs, recorder }),
      plugin,
      rules: createRules({ plugin, draft }),
    }
  }
  return {
    settings,
    driver,
    recorder,
    redact,
    draft,
    owned,
    main: access(target.url, target.key),
    before: null,
    filler: [],
    launched: 0,
    gone: null,
    access,
  }
}
