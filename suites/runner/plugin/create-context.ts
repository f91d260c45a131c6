import { failure } from '../../assertions/expect.ts'
import { FailedExpectation } from '../../assertions/failure.ts'
import { NoResponse } from '../../client/response.ts'
import { ServerFault } from '../../safety/list-change-errors.ts'
import { ownByRange } from '../../safety/ownership.ts'
import { rewindableDrafts } from '../../session/logins.ts'
import { seedFor } from '../../session/random.ts'
import { arranged } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import type { Driver } from '../../targets/driver.ts'
import { recordBrokenConnections } from '../broken-connections.ts'
import { isAnswering, type Keeper, plainServer, requireServer } from '../server-under-test.ts'
import { createShared, type Shared } from '../shared.ts'
import { blockingFailure } from './blocking-failure.ts'
import { cleanUpAfterCheck, removeFillRules } from './clean-up-after-check.ts'
import { createConnections, createGuards, observedDriver } from './connections.ts'
import type { PluginContext } from './context.ts'
import { createResponseJudge } from './every-response.ts'
import { fullReason, recordLongestList } from './full-list.ts'
import { openCheck } from './session.ts'
import type { PluginSettings } from './settings.ts'
import { createChanges } from './unrequested-changes.ts'

/** A plugin under test. `driver` is null if the kit cannot start servers. */
export function createPluginContext(
  settings: PluginSettings,
  driver: Driver | null,
  shared: Shared = createShared([settings]),
): PluginContext {
  const { target } = settings
  const { redact, recorder } = shared
  const owned = target.server !== null
  let drafts = rewindableDrafts(settings.logins, settings.seed)
  const draft: PluginContext['draft'] = (changes) => drafts.draft(changes)
  /** The first failure of the server that kept a check from being judged. */
  let unjudgedBecause: FailedExpectation | null = null
  let launched = 0
  const changes = createChanges()
  const responses = createResponseJudge(owned)
  const brokenConnections = recordBrokenConnections('/api/rules')
  const longestList = recordLongestList(target.url)
  const guards = createGuards(settings, shared)
  // Other clients may change the list of a foreign server.
  const ofList = owned ? changes : guards?.lastRead
  const observers = [brokenConnections, responses, longestList, ofList].flatMap((one) => one?.observe ?? [])
  const { access, closeIdle, forget, sendOnly } = createConnections(settings, shared, draft, observers)
  const main = access(target.url, target.key)
  const hangOfChanges = () =>
    owned ? null : shared.hangDetector.ofChanges({ url: target.url, key: target.key, timeoutMs: settings.timeoutMs })
  const forgetInstances = () => {
    forget()
    changes.forget()
    guards?.lastRead.forget()
  }
  const keeper: Keeper<Session> = async ({ request }, count) => {
    let kept = context
    // The check may have permanently changed the server that checks share.
    if (driver !== null && target.server !== null && request.url.startsWith(`${target.url}/`)) {
      const { id: server, url } = await driver.prepareLike(target.server)
      await driver.start(server, 'ready')
      kept = createPluginContext({ ...settings, target: { ...target, url, server } }, driver, shared)
    }
    kept.sendOnly(count)
    return kept
  }
  const context: PluginContext = {
    ...plainServer,
    settings,
    driver: driver && observedDriver(driver, { closeIdle, forget: forgetInstances, note: recorder.note }),
    recorder,
    redact,
    draft,
    owned,
    main: guards?.through(main, false) ?? main,
    before: settings.safety?.before ?? null,
    filler: [],
    seenCapacity: null,
    longestList,
    filled: false,
    closed: null,
    readsPublicCopySyntax: null,
    newKey() {
      launched += 1
      return `${settings.launchKey}-${launched}`
    },
    seen() {
      const hang = hangOfChanges()
      const failed = hang?.isSure ? failure('response.missing', { reason: hang.sentence, difference: null }) : null
      const blockingFailure = failed ?? unjudgedBecause
      return { ...responses.found, blockingFailure, unrequestedChange: changes.found }
    },
    closeIdle,
    known: new Map(),
    setDisabled: responses.setDisabled,
    dead: false,
    leased: false,
    access,
    launchedAccess(url, key, isShared) {
      const open = access(url, key)
      if (guards === null || target.temporaryKey === undefined) return open
      return guards.through(open, !isShared)
    },
    isOwn: (rule) => (guards?.isOwn ?? ownByRange(settings.logins, context.before ?? []))(rule),
    restarted() {
      changes.forget()
      guards?.watch.restarted()
    },
    keyVariable: 'TCK_API_KEY',
    listPath: '/api/rules',
    rulesBefore: (url) => (url === target.url && context.filler.length === 0 ? context.before : null),
    rerun: ({ id }) => `--only ${id} --seed ${settings.seed}`,
    sendOnly,
    keeper: (id) => (id === settings.keepServerOf ? keeper : null),
    closedReason(check) {
      // Requests without a response may still take effect later, when the list has changed.
      const reportsHang = check.concludes && 'requirement' in check && check.requirement === requirementOfHang
      const hang = reportsHang ? null : hangOfChanges()
      const hanging = hang && `${hang.sentence}, so nothing more is added or removed`
      return context.closed?.message ?? guards?.closedReason() ?? hanging
    },
    harm: async () => (context.closed instanceof ServerFault ? context.closed : ((await guards?.harm()) ?? null)),
    async prepare() {
      context.before ??= await arranged(() => context.main.rules.read())
    },
    openCheck(check) {
      context.filled = false
      changes.nextCheck()
      // A server may serve only a few connections at a time.
      closeIdle(1)
      brokenConnections.takeOverlap()
      // The rules of a check do not depend on earlier checks, whose rules are no longer in the list unless they fill it.
      if (context.filler.length === 0) drafts = rewindableDrafts(settings.logins, seedFor(settings.seed, check.id))
      drafts.mark()
      return openCheck(context, check)
    },
    takeBrokenConnections: brokenConnections.take,
    isAnswering: () => isAnswering([() => context.main.plugin.status(), () => context.main.plugin.list()]),
    hasDied() {
      context.dead = context.driver !== null && owned
      return context.dead
    },
    requireServer: () =>
      requireServer(owned ? [] : [() => context.main.plugin.status(), () => context.main.plugin.list()]),
    mayLimitRate: true,
    fullReason: (exchanges, launched) => fullReason(context, exchanges, launched),
    recordUnjudged(check) {
      // How many requests a server serves at a time is not specified.
      if (!brokenConnections.takeOverlap()) unjudgedBecause ??= blockingFailure(check)
    },
    async cleanUp({ risk }, isLast) {
      if (risk === 'read' && !context.dead) return
      // No check is running that would judge it.
      guards?.lastRead.offer()
      try {
        await cleanUpAfterCheck(context)
      } catch (error) {
        if (isLast || error instanceof FailedExpectation) await closeUnreadable(context, error)
        throw error
      }
    },
    release: () => removeFillRules(context),
    rewind() {
      drafts.rewind()
      context.known.clear()
    },
  }
  return context
}

/** A check that concludes on it fails because of the hang, and sends no change. */
const requirementOfHang = 'plugin.http.ordinary-requests'

/** No more rules are added to a foreign server that responds, but not with a list that the kit can read. */
async function closeUnreadable(context: PluginContext, error: unknown): Promise<void> {
  if (context.owned) return
  // A single response may be malformed by chance, so the list is read again. Other statuses, such as 429, may pass.
  const isMalformed = (again: unknown) => again instanceof FailedExpectation && again.exchange?.response?.status === 200
  const readAgain = () => context.main.rules.read().then(() => false, isMalformed)
  if (error instanceof NoResponse ? await context.isAnswering() : await readAgain()) {
    context.closed ??= new Error('the list of the server cannot be read, so no more rules are added')
  }
}
