import type { FailedExpectation } from '../../assertions/failure.ts'
import { type Client, createClient, type PersistentClient } from '../../client/client.ts'
import { createRawClient, type RawClient } from '../../client/raw.ts'
import { NoResponse } from '../../client/response.ts'
import { directTransport } from '../../client/transport.ts'
import type { Draft, Rule } from '../../model/rule.ts'
import { createAdditions } from '../../safety/additions.ts'
import { createWatch } from '../../safety/concurrent-edit.ts'
import { guardClient, guardLeased, guardRaw } from '../../safety/guard.ts'
import { openLedger } from '../../safety/ledger.ts'
import { createOwnership, ownByRange } from '../../safety/ownership.ts'
import { createRemovals } from '../../safety/removals.ts'
import { createBudget } from '../../safety/write-guard.ts'
import type { Case, Risk } from '../../session/check.ts'
import { createDrafts, type Drafts, type LoginRange, rewindable } from '../../session/logins.ts'
import { createPlugin, keyHeader, type Plugin } from '../../session/plugin.ts'
import { seedFor } from '../../session/random.ts'
import { arranged, createRules, type Rules } from '../../session/rules.ts'
import type { Driver } from '../../targets/driver.ts'
import type { Target } from '../../targets/target.ts'
import { isAnswering } from '../answering.ts'
import type { ApiUnderTest } from '../api.ts'
import { type ApiSettings, createShared, type Shared } from '../shared.ts'
import { createBreaks } from './breaks.ts'
import { createErrorForms, type ErrorForms } from './error-forms.ts'
import { fullReason } from './full-list.ts'
import { hindrance } from './hindrance.ts'
import { withKeyHeader } from './key-header.ts'
import { nothingSeen, type Seen } from './seen.ts'
import { openCheck } from './session.ts'
import { releaseFiller, settle } from './settle.ts'
import { type Changes, createChanges } from './unrequested-changes.ts'

/** How a plugin is judged; complete, resolved at the edge. Can be sent as a message. */
export interface PluginSettings extends ApiSettings {
  readonly target: Target
  readonly risk: Risk
  readonly seed: number
  /** How many times as long the checks that draw at random go on. */
  readonly thorough: number
  readonly logins: LoginRange
  readonly maxFill: number
  /** The given syntax of `Copy_N` values; null where it is not known. */
  readonly copySyntax: string | null
  /** Random string that the keys of servers which a check launches begin with; one of the secrets. */
  readonly launchKey: string
  /** The check whose servers stay as it leaves them, with the key of the target. */
  readonly keepServerOf?: string
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

/** A plugin under test. */
export interface PluginContext extends ApiUnderTest {
  readonly settings: PluginSettings
  readonly driver: Driver | null
  readonly draft: (changes?: Partial<Draft>) => Draft
  readonly main: Access
  /** The list as it was before the first change; null until it is needed. */
  before: readonly Rule[] | null
  /** Rules that keep the list full from one check to the next. */
  readonly filler: Draft[]
  /** Why a foreign server is given no more rules; null as long as it is. */
  closed: string | null
  /** With how many rules a server that the kit started was seen to be full; null if none was. */
  seenCapacity: number | null
  /** The check at hand has filled a list on purpose. */
  filled: boolean
  /** Whether rules load from `Copy_N` in the public syntax; null until it was tried. */
  readsPublicCopySyntax: boolean | null
  /** How many keys of launched servers were made. */
  launched: number
  /** What earlier checks saw beside what they judge; for those that look at the whole run. */
  earlier: Seen
  /** What was seen in this context. */
  seen(): Seen
  /** Closes the connections that no request uses. */
  closeIdle(): void
  /** What the requests of the run did to the lists of servers that the kit started. */
  readonly changes: Changes
  /** What first kept a check from being judged, if it was a failure of the server. */
  hindrance: FailedExpectation | null
  /** The form of every error response of the run. */
  readonly errorForms: ErrorForms
  /** A server that the kit started died and has to be started again. */
  dead: boolean
  access(url: string, key: string): Access
  /** Access to a server that a check was given to start and stop. */
  launchedAccess(launched: LaunchedTarget): Access
  /** Whether a rule is one that the kit wrote; on a server of its own, one with its logins that was not there before. */
  isOwn(rule: Rule): boolean
  /** Tells the guard that the server was restarted. */
  restarted(): void
  /** A foreign server is leased to the kit with other parameters or without its rules. */
  leased: boolean
}

/** A server that a check starts and stops. */
export interface LaunchedTarget {
  readonly url: string
  readonly key: string
  /** Whether rules of others may be in its list. */
  readonly shared: boolean
}

/**
 * A plugin under test.
 *
 * @param driver null where the kit cannot start servers
 */
export function createPluginContext(
  settings: PluginSettings,
  driver: Driver | null,
  shared: Shared = createShared([settings]),
): PluginContext {
  const { target } = settings
  const { redact, recorder } = shared
  const owned = target.server !== null
  let drafts = draftsFrom(settings.seed, settings)
  const draft: PluginContext['draft'] = (changes) => drafts.draft(changes)
  const changes = createChanges()
  const errorForms = createErrorForms(owned)
  const { access, breaks, closeIdle } = createConnections(settings, shared, {
    draft,
    changes: owned ? changes : null,
    errorForms,
  })
  const guards = settings.safety === null ? null : createGuards(settings, settings.safety, redact)
  const main = access(target.url, target.key)
  const context: PluginContext = {
    settings,
    driver: driver && telling(driver, { closeIdle, forget: changes.forget, note: recorder.note }),
    recorder,
    redact,
    draft,
    owned,
    main: guards?.main(main, target.key) ?? main,
    before: settings.safety?.before ?? null,
    filler: [],
    seenCapacity: null,
    filled: false,
    closed: null,
    readsPublicCopySyntax: null,
    launched: 0,
    earlier: nothingSeen,
    seen: () => ({
      hindrance: context.hindrance,
      unrequestedChange: changes.found,
      malformedError: errorForms.found,
    }),
    closeIdle,
    becomeAlone: async () => undefined,
    changes,
    hindrance: null,
    errorForms,
    dead: false,
    stopped: null,
    hangs: 0,
    badNetwork: false,
    leased: false,
    access,
    launchedAccess({ url, key, shared: isShared }) {
      const open = access(url, key)
      if (guards === null || target.temporaryKey === undefined) return open
      return isShared ? guards.main(open, key) : guards.leased(open, key)
    },
    isOwn: (rule) => (guards?.isOwn ?? ownByRange(settings.logins, context.before ?? []))(rule),
    restarted: () => guards?.watch.restarted(),
    keyVariable: 'TCK_API_KEY',
    stateHint: ({ id }) =>
      owned
        ? `To get a server in this state, add to the run: --only ${id} --seed ${settings.seed} --keep-server`
        : null,
    keeps: ({ id }) => id === settings.keepServerOf,
    closedReason: (check) => context.closed ?? guards?.closedReason(check) ?? null,
    async prepare() {
      context.before ??= await arranged(() => context.main.rules.read())
    },
    openCheck({ id }) {
      context.filled = false
      changes.nextCheck()
      // The rules of a check do not depend on what ran before it, unless they may still be in the list.
      if (owned && context.filler.length === 0) {
        drafts = draftsFrom(seedFor(settings.seed, id), settings)
      }
      drafts.mark()
      return openCheck(context)
    },
    takeBreaks: breaks.take,
    isAnswering: () => isAnswering([() => context.main.plugin.status(), () => context.main.plugin.list()]),
    hasDied() {
      context.dead = context.driver !== null && owned
      return context.dead
    },
    // A check that could not add a rule because the list was full has judged nothing.
    async excuse({ isOpen }, exchanges, launched) {
      const message = isOpen ? await fullReason(context, exchanges, launched) : null
      return message === null ? null : { status: 'out-of-scope', message }
    },
    hindered(hindered) {
      // Between the kit and a foreign server is a network, which may have lost a response, not only the last one.
      const isSure = owned || hindered.status === 'failed' || !hindered.hasBroken
      if (isSure) context.hindrance ??= hindrance(hindered)
    },
    async cleanUp({ risk }, isLast) {
      if (risk === 'read' && !context.dead) return
      try {
        await settle(context)
      } catch (error) {
        if (isLast) await closeSilent(context, error)
        throw error
      }
    },
    release: () => releaseFiller(context),
    rewind: () => drafts.rewind(),
  }
  return context
}

/** Many checks draw no rule. */
function draftsFrom(seed: number, { logins }: PluginSettings): Drafts {
  let draw: ReturnType<typeof createDrafts> | null = null
  return rewindable(() => {
    draw ??= createDrafts(logins, seed)
    return draw()
  })
}

/** A foreign server that answers its status and not its list is given no more rules. */
async function closeSilent(context: PluginContext, error: unknown): Promise<void> {
  if (!context.owned && error instanceof NoResponse && (await context.isAnswering())) {
    context.closed ??= 'the list of the server cannot be read, so no more rules are added'
  }
}

/** The clients of a plugin; `closeIdle` ends their connections that no request uses. */
function createConnections(
  { target, timeoutMs }: PluginSettings,
  { pace, recorder }: Shared,
  { draft, changes, errorForms }: Pick<PluginContext, 'draft' | 'errorForms'> & { readonly changes: Changes | null },
) {
  const breaks = createBreaks()
  const clients: PersistentClient[] = []
  const access = (url: string, key: string): Access => {
    // Servers that the kit launches beside the target are on this machine, and of its kind.
    const transport = url === target.url || target.server !== null ? target.transport : directTransport
    const options = { baseUrl: url, transport, timeoutMs, pace, recorder }
    const persistent = createClient(options)
    clients.push(persistent)
    const changesAt = changes?.at(url)
    const errorsAt = errorForms.at(url)
    const watched = errorsAt.watchClient(breaks.watchClient(persistent))
    const client = changesAt?.watchClient(watched) ?? watched
    const sent = withKeyHeader(breaks.watchRaw(createRawClient(options)), target.keyAs)
    const watchedRaw = errorsAt.watchRaw(sent)
    const raw = changesAt?.watchRaw(watchedRaw) ?? watchedRaw
    const plugin = createPlugin(client, key, target.keyAs)
    return { client, raw, plugin, rules: createRules({ plugin, draft }) }
  }
  const closeIdle = () => {
    for (const client of clients) client.closeIdle()
  }
  return { access, breaks, closeIdle }
}

interface DriverListener {
  readonly closeIdle: () => void
  readonly forget: () => void
  /** Notes a step between requests. */
  readonly note: (step: string) => void
}

/**
 * A driver that says when a server was started or has ended: then connections to it are of no use any
 * more, and its list may be another.
 */
function telling(driver: Driver, { closeIdle, forget, note }: DriverListener): Driver {
  const ended = () => {
    forget()
    closeIdle()
  }
  const noted =
    <Given extends unknown[], Result>(step: string, act: (...given: Given) => Result) =>
    (...given: Given) => {
      note(step)
      return act(...given)
    }
  return {
    ...driver,
    configure: noted('Change the parameters.', driver.configure),
    deleteRulesFile: noted('Delete the rules file.', driver.deleteRulesFile),
    writeRulesFile: noted('Overwrite the rules file.', driver.writeRulesFile),
    start: noted('Start the server.', (id, wait) => driver.start(id, wait).finally(forget)),
    stop: noted('Stop the server.', (id) => driver.stop(id).finally(ended)),
    crash: noted('Kill the server.', (id) => driver.crash(id).finally(ended)),
    discard: (id) => driver.discard(id).finally(ended),
  }
}

/** What stands between the checks and a foreign server; one watch and one ledger for all. */
function createGuards(settings: PluginSettings, safety: SafetySettings, redact: (text: string) => string) {
  const { logins } = settings
  const { note, owns: isOwn } = createOwnership(logins, safety.before)
  // A leased server gets rules of the kit by its parameters too, and no other client can add one.
  const leasedWatch = () => createWatch([], ownByRange(logins, []))
  const ledger = safety.ledgerFile === null ? null : openLedger(safety.ledgerFile, redact)
  const watch = createWatch(safety.before, isOwn)
  const countWrite = createBudget(safety.mostWrites, 'writes')
  const additions = createAdditions()
  const removals = createRemovals()
  const through = (access: Access, client: Client, raw: RawClient, key: string): Access => {
    const plugin = createPlugin(client, key, settings.target.keyAs)
    return {
      client,
      raw,
      plugin,
      rules: createRules({ plugin, draft: access.rules.draft }),
    }
  }
  return {
    watch,
    isOwn,
    // The checks of the requirement that was broken run up to the first such request, and fail there.
    closedReason: (check: Case) => {
      const isAbout = (requirement: string) => 'requirement' in check && check.requirement === requirement
      if (removals.wrong !== null && !isAbout('plugin.delete.keeps-order')) {
        return 'the server removes other rules than the one at the index, so nothing more is added or removed'
      }
      return additions.lost === null || isAbout('plugin.add.leaves-others')
        ? null
        : 'the server loses existing rules when one is added, so nothing more is added'
    },
    main(access: Access, key: string) {
      const options = {
        client: access.client,
        headers: keyHeader(key),
        ledger,
        watch,
        isOwn,
        note,
        countWrite,
        additions,
        removals,
        draft: () => access.rules.draft(),
      }
      return through(access, guardClient(options), guardRaw(access.raw, options, options), key)
    },
    leased(access: Access, key: string) {
      const options = { client: access.client, ledger, watch: leasedWatch(), note, countWrite }
      return through(access, guardLeased(options), guardRaw(access.raw, options, null), key)
    },
  }
}
