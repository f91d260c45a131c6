import { failure } from '../../assertions/expect.ts'
import type { FailedExpectation } from '../../assertions/failure.ts'
import { type HttpResponse, NoResponse } from '../../client/response.ts'
import type { Draft, Rule } from '../../model/rule.ts'
import { ownByRange } from '../../safety/ownership.ts'
import type { Case } from '../../session/check.ts'
import { createDrafts, type Drafts, rewindable } from '../../session/logins.ts'
import { seedFor } from '../../session/random.ts'
import { arranged } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import type { Driver } from '../../targets/driver.ts'
import { isAnswering, type Keeper, rateLimited, type ServerUnderTest } from '../server-under-test.ts'
import { createShared, type Shared } from '../shared.ts'
import { initialState, nothingSeen } from '../state.ts'
import { createBreaks } from './breaks.ts'
import { type Access, createConnections, createGuards, tellingDriver } from './connections.ts'
import { createErrorForms, type ErrorForms } from './error-forms.ts'
import { fullReason } from './full-list.ts'
import { hindrance } from './hindrance.ts'
import { openCheck } from './session.ts'
import type { PluginSettings } from './settings.ts'
import { releaseFiller, settle } from './settle.ts'
import { type Changes, createChanges } from './unrequested-changes.ts'

/** A plugin under test. */
export interface PluginContext extends ServerUnderTest<Session> {
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
  /** Lets so many more requests pass, and no others. */
  sendOnly(count: number): void
  /** Closes the connections that no request uses, all but the `kept` of each client. */
  closeIdle(kept?: number): void
  /** What checks of a foreign server know of earlier ones. */
  readonly responses: Map<string, readonly HttpResponse[]>
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
  const breaks = createBreaks()
  const guards = settings.safety === null ? null : createGuards(settings, settings.safety, redact)
  // Other clients may change the list of a foreign server.
  const ofList = owned ? [changes] : guards === null ? [] : [guards.lastRead]
  const observers = [breaks, errorForms, ...ofList].map(({ observe }) => observe)
  const { access, closeIdle, forget, sendOnly } = createConnections(settings, shared, draft, observers)
  const main = access(target.url, target.key)
  const hangOfChanges = () =>
    owned ? null : shared.hangs.ofChanges({ url: target.url, key: target.key, timeoutMs: settings.timeoutMs })
  const forgetLives = () => {
    forget()
    changes.forget()
    guards?.lastRead.forget()
  }
  const keeper: Keeper<Session> = async ({ request }, count) => {
    let kept = context
    // On the server that checks share, the check may have left what cannot be undone.
    if (driver !== null && target.server !== null && request.url.startsWith(`${target.url}/`)) {
      const { id: server, url } = await driver.prepareLike(target.server)
      await driver.start(server, 'ready')
      kept = createPluginContext({ ...settings, target: { ...target, url, server } }, driver, shared)
    }
    kept.sendOnly(count)
    return kept
  }
  const context: PluginContext = {
    settings,
    driver: driver && tellingDriver(driver, { closeIdle, forget: forgetLives, note: recorder.note }),
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
    seen() {
      const hang = hangOfChanges()
      const failed = hang?.isSure ? failure('response.missing', { reason: hang.known, difference: null }) : null
      return {
        hindrance: failed ?? context.hindrance,
        unrequestedChange: changes.found,
        malformedError: errorForms.found,
      }
    },
    closeIdle,
    becomeAlone: async () => undefined,
    responses: new Map(),
    changes,
    hindrance: null,
    errorForms,
    dead: false,
    state: initialState,
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
    listPath: '/api/rules',
    rulesBefore: (url) => (url === target.url && context.filler.length === 0 ? context.before : null),
    rerun: ({ id }) => `--only ${id} --seed ${settings.seed}`,
    sendOnly,
    keeper: (id) => (id === settings.keepServerOf ? keeper : null),
    closedReason(check) {
      // What a foreign server has not answered may still take effect, when the list is another.
      const hang = reportsHang(check) ? null : hangOfChanges()
      const hanging = hang && `${hang.known}, so nothing more is added or removed`
      return context.closed ?? guards?.closedReason() ?? hanging
    },
    harm: async () => (await guards?.harm()) ?? null,
    async prepare() {
      context.before ??= await arranged(() => context.main.rules.read())
    },
    openCheck(check) {
      context.filled = false
      changes.nextCheck()
      // A server may serve only a few connections at a time.
      closeIdle(1)
      breaks.takeOverlap()
      // The rules of a check do not depend on what ran before it, unless they may still be in the list.
      if (owned && context.filler.length === 0) {
        drafts = draftsFrom(seedFor(settings.seed, check.id), settings)
      }
      drafts.mark()
      return openCheck(context, check)
    },
    takeBreaks: breaks.take,
    isAnswering: () => isAnswering([() => context.main.plugin.status(), () => context.main.plugin.list()]),
    hasDied() {
      context.dead = context.driver !== null && owned
      return context.dead
    },
    // A check that could not add a rule because the list was full has judged nothing.
    async excuse(finding, exchanges, launched) {
      const message = finding.isOpen ? await fullReason(context, exchanges, launched) : null
      return message === null ? rateLimited(finding, exchanges) : { status: 'out-of-scope', message }
    },
    hindered(hindered) {
      // How many requests a server serves at a time is not specified.
      if (breaks.takeOverlap()) return
      // Between the kit and a foreign server is a network, which may have lost a response, not only the last one.
      const isSure = owned || hindered.status === 'failed' || !hindered.hasBroken
      if (isSure) context.hindrance ??= hindrance(hindered)
    },
    async cleanUp({ risk }, isLast) {
      if (risk === 'read' && !context.dead) return
      // No check is at work that would judge it.
      guards?.lastRead.offer()
      try {
        await settle(context)
      } catch (error) {
        if (isLast) await closeSilent(context, error)
        throw error
      }
    },
    release: () => releaseFiller(context),
    rewind() {
      drafts.rewind()
      context.responses.clear()
    },
  }
  return context
}

/** The check that fails for it sends no change. */
function reportsHang(check: Case): boolean {
  return check.concludes === true && 'requirement' in check && check.requirement === 'plugin.http.ordinary-requests'
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
