import { type Client, createClient, type PersistentClient } from '../../client/client.ts'
import type { Exchange } from '../../client/exchange.ts'
import { createPace } from '../../client/pace.ts'
import { createRawClient, type RawClient } from '../../client/raw.ts'
import { createRecorder, type Recorder } from '../../client/recorder.ts'
import { createRedactor } from '../../client/redact.ts'
import { directTransport } from '../../client/transport.ts'
import type { Draft, Rule } from '../../model/rule.ts'
import { createWatch } from '../../safety/concurrent-edit.ts'
import { createBudget, guardClient, guardLeased, guardRaw } from '../../safety/guard.ts'
import { openLedger } from '../../safety/ledger.ts'
import { createOwnership, ownByRange } from '../../safety/ownership.ts'
import type { Risk } from '../../session/check.ts'
import { createDrafts, type LoginRange } from '../../session/logins.ts'
import { createPlugin, keyHeader, type Plugin } from '../../session/plugin.ts'
import { createRules, type Rules } from '../../session/rules.ts'
import { wrongKeys } from '../../session/wrong-keys.ts'
import type { Driver } from '../../targets/driver.ts'
import type { PlatformTarget } from '../../targets/platform-target.ts'
import type { Target } from '../../targets/target.ts'
import type { Stop } from '../outcome.ts'
import { createPlatformContext, type PlatformContext } from '../platform/context.ts'
import { type Breaks, createBreaks } from './breaks.ts'

/** How checks are run against a target; complete, resolved at the edge. Can be sent as a message. */
export interface JudgeSettings {
  readonly target: Target
  readonly risk: Risk
  readonly seed: number
  /** How many times as long the checks that draw at random go on. */
  readonly thorough: number
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
  /** The platform under judgement; absent where none is. Where only one is, there is no check of the target. */
  readonly platform?: PlatformTarget
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

/** Why nothing more is asked of a server. */
export interface Stopped {
  readonly cause: Stop
  readonly reason: string
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
  /** Connections to the target that broke. */
  readonly breaks: Breaks
  /** Null where no platform is judged. */
  readonly platform: PlatformContext | null
  /** The list as it was before the first change; null until it is needed. */
  before: readonly Rule[] | null
  /** Rules that keep the list full from one check to the next. */
  readonly filler: Draft[]
  /** Why a server of somebody else is given no more rules; null as long as it is. */
  closed: string | null
  /** With how many rules a server of the kit's own was seen to be full; null if none was. */
  seenCapacity: number | null
  /** The check at hand has filled a list on purpose. */
  filled: boolean
  /** How many keys of launched servers were made. */
  launched: number
  /** The request of the check at hand that got no answer. */
  unanswered: Exchange | null
  /** The server of the kit's own died and has to be started again. */
  dead: boolean
  /** Why the target can no longer be judged; null as long as it can. */
  stopped: Stopped | null
  access(url: string, key: string): Access
  /** Access to a server that a check was given to start and stop. */
  launchedAccess(launched: LaunchedTarget): Access
  /** Whether a rule is one that the kit wrote; on a server of its own, one with its logins that was not there before. */
  isOwn(rule: Rule): boolean
  /** Tells whoever watches over the rules of others that the server was restarted. */
  restarted(): void
  /** A server of somebody else is lent to the kit with other parameters or without its rules. */
  lent: boolean
}

/** A server that a check starts and stops. */
export interface LaunchedTarget {
  readonly url: string
  readonly key: string
  /** Whether rules of others may be in its list. */
  readonly shared: boolean
}

/** Takes the secrets of a run out of a text, and the keys that resemble the right one. */
export function redactorFor({ secrets, launchKey, target, platform }: JudgeSettings): (text: string) => string {
  const keys = [target.key, ...(platform === undefined ? [] : [platform.key])]
  // A sign or two are in every text, and give nothing away.
  const near = keys.flatMap(wrongKeys).filter(({ length }) => length > 2)
  return createRedactor([...secrets, launchKey], near)
}

/** The context of a run; `driver` is null where the kit cannot start servers. */
export function createContext(settings: JudgeSettings, driver: Driver | null): Context {
  const { target, platform } = settings
  const redact = redactorFor(settings)
  const recorder = createRecorder(redact)
  const draft = createDrafts(settings.logins, settings.seed)
  const owned = target.server !== null
  const breaks = createBreaks()
  const pace = createPace(settings.maxRequestsPerSecond ?? Number.POSITIVE_INFINITY)

  const clients: PersistentClient[] = []
  const access = (url: string, key: string): Access => {
    const { timeoutMs } = settings
    // Servers that the kit launches beside the target are on this machine, and of its kind.
    const transport = url === target.url || owned ? target.transport : directTransport
    const options = { baseUrl: url, transport, timeoutMs, pace, recorder }
    const [client, raw] = [createClient(options), createRawClient(options)]
    clients.push(client)
    const watched = breaks.watchClient(client)
    const plugin = createPlugin(watched, key)
    return {
      client: watched,
      raw: breaks.watchRaw(raw),
      plugin,
      rules: createRules({ plugin, draft }),
    }
  }
  const guards = settings.safety === null ? null : createGuards(settings, settings.safety, redact)
  const main = access(target.url, target.key)
  const context: Context = {
    settings,
    driver:
      driver &&
      telling(driver, () => {
        for (const client of clients) client.closeIdle()
      }),
    recorder,
    redact,
    draft,
    owned,
    main: guards?.main(main, target.key) ?? main,
    breaks,
    platform:
      platform === undefined
        ? null
        : createPlatformContext({ target: platform, timeoutMs: settings.timeoutMs, pace, recorder, redact }),
    before: settings.safety?.before ?? null,
    filler: [],
    seenCapacity: null,
    filled: false,
    closed: null,
    launched: 0,
    unanswered: null,
    dead: false,
    stopped: null,
    lent: false,
    access,
    launchedAccess({ url, key, shared }) {
      const open = access(url, key)
      if (guards === null || target.temporaryKey === undefined) return open
      return shared ? guards.main(open, key) : guards.lent(open, key)
    },
    isOwn: (rule) => (guards?.isOwn ?? ownByRange(settings.logins, context.before ?? []))(rule),
    restarted: () => guards?.watch.restarted(),
  }
  return context
}

/** A driver that says when a server has ended: connections to it are of no use any more. */
function telling(driver: Driver, ended: () => void): Driver {
  return {
    ...driver,
    stop: (id) => driver.stop(id).finally(ended),
    crash: (id) => driver.crash(id).finally(ended),
    discard: (id) => driver.discard(id).finally(ended),
  }
}

/** What stands between the checks and a server of somebody else; one watch and one ledger for all. */
function createGuards(settings: JudgeSettings, safety: SafetySettings, redact: (text: string) => string) {
  const { logins } = settings
  const { note, owns: isOwn } = createOwnership(logins, safety.before)
  // A server that is lent gets rules of the kit by its parameters too, and nobody else can add one.
  const lentWatch = () => createWatch([], ownByRange(logins, []))
  const ledger = safety.ledgerFile === null ? null : openLedger(safety.ledgerFile, redact)
  const watch = createWatch(safety.before, isOwn)
  const countWrite = createBudget(safety.mostWrites)
  const through = (access: Access, client: Client, key: string): Access => {
    const plugin = createPlugin(client, key)
    return {
      client,
      raw: guardRaw(access.raw, { ledger, note }),
      plugin,
      rules: createRules({ plugin, draft: access.rules.draft }),
    }
  }
  return {
    watch,
    isOwn,
    main: (access: Access, key: string) =>
      through(
        access,
        guardClient({ client: access.client, headers: keyHeader(key), ledger, watch, isOwn, note, countWrite }),
        key,
      ),
    lent: (access: Access, key: string) =>
      through(access, guardLeased({ client: access.client, ledger, watch: lentWatch(), note, countWrite }), key),
  }
}
