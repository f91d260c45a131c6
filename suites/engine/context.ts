import { type Client, createClient } from '../http/client.ts'
import { createPace } from '../http/pace.ts'
import { createRawClient, type RawClient } from '../http/raw.ts'
import { createRecorder, type Recorder } from '../http/recorder.ts'
import type { Tape } from '../recording/tape.ts'
import { guardClient, guardRaw } from '../safety/guard.ts'
import { createWatch } from '../safety/interference.ts'
import { openLedger } from '../safety/ledger.ts'
import { createRedactor } from '../safety/redact.ts'
import { createDrafts, isWithin, type LoginRange } from '../session/logins.ts'
import { createPlugin, keyHeader, type Plugin } from '../session/plugin.ts'
import { createRules, type Rules } from '../session/rules.ts'
import { wrongKeys } from '../session/wrong-keys.ts'
import type { Driver } from '../targets/driver.ts'
import type { Target } from '../targets/target.ts'
import { type Draft, type Rule, sameContent } from '../vocabulary/rule.ts'
import type { Risk } from './check.ts'
import type { Exchange, Stop } from './outcome.ts'

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
  /** What keeps the rules of others safe; null for a server that the kit started. */
  readonly safety: SafetySettings | null
}

/** Can be sent as a message. */
export interface SafetySettings {
  /** The list as it was found. */
  readonly before: readonly Rule[]
  /** The write-ahead file; null where nothing is written. */
  readonly ledgerFile: string | null
  /** The most writes that were announced. */
  readonly mostWrites: number
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
  /** A check begins: a tape must know whose requests these are. */
  readonly begin: (check: string) => void
  /** Whether the kit itself started the target. */
  readonly owned: boolean
  readonly main: Access
  /** The list as it was before the first change; null until it is needed. */
  before: readonly Rule[] | null
  /** Rules that keep the list full from one check to the next. */
  readonly filler: Draft[]
  /** How many keys of launched servers were made. */
  launched: number
  /** The request of the check at hand that got no answer. */
  unanswered: Exchange | null
  /** The server of the kit's own died and has to be started again. */
  dead: boolean
  /** Why the target can no longer be judged; null as long as it can. */
  stopped: { readonly cause: Stop; readonly reason: string } | null
  access(url: string, key: string): Access
}

/** Takes the secrets of a run out of a text, and the keys that resemble the right one. */
export function redactorFor({ secrets, launchKey, target }: JudgeSettings): (text: string) => string {
  return createRedactor([...secrets, launchKey], wrongKeys(target.key))
}

/** The context of a run; `driver` is null where the kit cannot start servers, `tape` where nothing is recorded or replayed. */
export function createContext(settings: JudgeSettings, driver: Driver | null, tape: Tape | null = null): Context {
  const { target } = settings
  const redact = redactorFor(settings)
  const recorder = createRecorder(redact)
  const drafts = countedDrafts(settings)
  const { draft } = drafts
  const owned = target.server !== null
  const pace = createPace(settings.maxRequestsPerSecond ?? Number.POSITIVE_INFINITY)

  const access = (url: string, key: string): Access => {
    const { timeoutMs } = settings
    const options = { baseUrl: url, timeoutMs, pace, recorder }
    const client = createClient(options)
    const raw = createRawClient(options)
    return accessBy({ client: tape?.client(client) ?? client, raw: tape?.raw(raw) ?? raw, key, draft })
  }
  return {
    settings,
    driver,
    recorder,
    redact,
    draft,
    begin: (check) => drafts.goTo(tape?.begin(check, drafts.count()) ?? drafts.count()),
    owned,
    main: guarded(access(target.url, target.key), settings, redact),
    before: settings.safety?.before ?? null,
    filler: [],
    launched: 0,
    unanswered: null,
    dead: false,
    stopped: null,
    access,
  }
}

interface Clients extends Pick<Access, 'client' | 'raw'> {
  readonly key: string
  readonly draft: Context['draft']
}

function accessBy({ client, raw, key, draft }: Clients): Access {
  const plugin = createPlugin(client, key)
  return { client, raw, plugin, rules: createRules({ plugin, draft }) }
}

/** Drafts that can go on from any number of earlier ones. */
function countedDrafts({ logins, seed }: JudgeSettings) {
  let make = createDrafts(logins, seed)
  let count = 0
  const draft: Context['draft'] = (changes) => {
    count += 1
    return make(changes)
  }
  return {
    draft,
    count: () => count,
    goTo: (wanted: number) => {
      if (wanted === count) return
      make = createDrafts(logins, seed)
      for (count = 0; count < wanted; count += 1) make()
    },
  }
}

/** Access to a server of somebody else goes through the guard. */
function guarded(access: Access, settings: JudgeSettings, redact: (text: string) => string): Access {
  const { safety, target, logins } = settings
  if (safety === null) return access
  const isOwn = (rule: Rule) => isWithin(logins, rule) && !safety.before.some((known) => sameContent(known, rule))
  const ledger = safety.ledgerFile === null ? null : openLedger(safety.ledgerFile, redact)
  const client = guardClient({
    client: access.client,
    headers: keyHeader(target.key),
    ledger,
    watch: createWatch(safety.before, isOwn),
    isOwn,
    mostWrites: safety.mostWrites,
  })
  const plugin = createPlugin(client, target.key)
  return {
    client,
    raw: guardRaw(access.raw, ledger),
    plugin,
    rules: createRules({ plugin, draft: access.rules.draft }),
  }
}
