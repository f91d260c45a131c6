import { CannotArrange, FailedExpectation, renderFailure } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { isTimeout } from '../client/failure-reason.ts'
import { mayReplaceServer } from '../client/proxied.ts'
import type { Recorded } from '../client/recorder.ts'
import { NoResponse } from '../client/response.ts'
import { ConcurrentEdit, ServerFault } from '../safety/list-change-errors.ts'
import type { Case, ObservedAnswer } from '../session/check.ts'
import {
  type Afterwards,
  classify,
  type Ended,
  findingOf,
  harmed,
  isAbout,
  isOpen,
  type Judged,
  judged,
  reasonToStop,
  stoppedBefore,
  stoppedFinding,
} from './classify.ts'
import { type Broken, confirm, noneBroken } from './confirm.ts'
import { type Finding, type Outcome, passed } from './outcome.ts'
import { reproduction } from './reproduction.ts'
import { safeData, safeText } from './safe-failure.ts'
import { type OpenCheck, rateLimit, release, type ServerUnderTest } from './server-under-test.ts'
import { note } from './state.ts'

interface Stage extends Omit<OpenCheck<unknown>, 'session'> {
  readonly check: Case
  readonly api: ServerUnderTest
  readonly run: () => Promise<ObservedAnswer | null>
}

interface Attempt extends Judged {
  readonly breaks: Broken
  readonly afterwards: Afterwards | null
  readonly record: Recorded
}

/** Runs one check; never throws. Afterwards the list is as before, except for rules that keep it full. */
export async function judge<Session>(check: Case<Session>, api: ServerUnderTest<Session>): Promise<Outcome> {
  const start = performance.now()
  api.recorder.take()
  const stage = stageOf(check, api)
  const decisive = await repeated(await attempt(stage), stage)
  const { record: sent, isSure } = decisive
  const finding = await excused(decisive.finding, sent.exchanges, stage)
  if (finding.status === 'passed') note(api, { hangs: 0 })
  const { status, code, stop } = finding
  // The reason why a check could not be judged is a failure of the server if it can have no other cause.
  const isUnjudged = (status === 'blocked' || code === 'response.missing') && stop === null
  // The network to a foreign server may have lost a response, not only the last one. A failure was confirmed by
  // repetition.
  const isOfServer = isSure && (api.owned || status === 'failed' || decisive.breaks.places.length === 0)
  if (isUnjudged && isOfServer && sent.omitted === 0) api.recordUnjudged({ ...decisive, exchanges: sent.exchanges })
  const durationMs = performance.now() - start
  const keeper = api.keeper(check.id)
  const cleaned = keeper === null ? await cleanUp(stage) : null
  // A failure of the server counts even if the check had no result.
  const outweighed = cleaned?.cause ? ['passed', 'out-of-scope', 'not-applicable'] : ['passed']
  const found = outweighed.includes(status) ? cleaned : null
  const last = { ...finding, ...found?.finding }
  const record = found?.record ? joined(sent, found.record) : sent
  const { exchanges, omitted: exchangesOmitted } = record
  const evidence = { durationMs, check: check.id, curl: null, exchanges, exchangesOmitted, ...last }
  if (last.status !== 'failed') return evidence
  // The clean-up may have found what failed.
  const { unanswered, cause = null } = found ?? decisive
  const failing = unanswered ?? cause?.exchange ?? record.last
  const { steps, omitted } = cause !== null && cause.steps.length > 0 ? { steps: cause.steps, omitted: 0 } : record
  const failed = { ...last, steps, omitted, failing }
  const { curl, script, decidingStep } = reproduction(failed, { ...api, rerun: api.rerun(check) })
  if (keeper !== null && decidingStep !== null) {
    await cleanUp(stage)
    await attempt(stageOf(check, await keeper(decidingStep, placeOf(decidingStep) - placeOf(exchanges[0]))))
  }
  // A check may fail because of an earlier request of the run, or of an earlier attempt.
  const isSentElsewhere = exchangesOmitted === 0 && !exchanges.some(({ id }) => id === failing?.id)
  return {
    ...evidence,
    exchanges: failing && isSentElsewhere ? [...exchanges, failing] : exchanges,
    ...(failing !== undefined && { decidedBy: failing.id }),
    curl,
    ...(script !== null && { script }),
  }
}

/** Exchanges are numbered in the order of their ends. */
function placeOf(exchange: Exchange | undefined): number {
  return Number(/\d+$/.exec(exchange?.id ?? ''))
}

function stageOf<Session>(check: Case<Session>, api: ServerUnderTest<Session>): Stage {
  const { session, servers, close } = api.openCheck(check)
  return { check, api, servers, close, run: async () => (await check.run(await session())) || null }
}

async function attempt(stage: Stage): Promise<Attempt> {
  const { check, api } = stage
  const found = (await judgedBefore(stage)) ?? (await judgedByRun(stage))
  note(api, { stopped: found.stopped })
  return { ...found, finding: redacted(found.finding, check, api) }
}

/** The result of a check that need not run; null if it must run. */
async function judgedBefore({ check, api }: Stage): Promise<Attempt | null> {
  const unsent = { breaks: noneBroken, afterwards: null, record: api.recorder.take() }
  const harm = await api.harm()
  if (harm !== null && isAbout(check, harm)) return { ...harmed(check, harm), ...unsent }
  const { stopped } = api.state
  if (stopped !== null) return { ...stoppedBefore(check, stopped), ...unsent }
  const closed = mayChange(check, api) ? api.closedReason(check) : null
  return closed === null ? null : { ...judged({ ...passed, status: 'blocked', message: closed }), ...unsent }
}

/** Whether a check may change a list that other clients can change too. */
function mayChange({ risk }: Case, { rewind }: ServerUnderTest): boolean {
  return risk !== 'read' && rewind !== null
}

async function judgedByRun(stage: Stage): Promise<Attempt> {
  const { check, api } = stage
  const ended = await run(stage)
  const breaks = api.takeBrokenConnections()
  const sent = api.recorder.take()
  const seen = await observeAfterwards(ended, breaks, sent.last, stage).then(
    (afterwards) => ({ ended, afterwards }),
    (threw: unknown) => ({ ended: { threw }, afterwards: null }),
  )
  const looked = api.recorder.take()
  // If a request got no response, the responses to others are evidence. Otherwise the last request is the deciding one.
  const record = 'threw' in ended && ended.threw instanceof NoResponse ? joined(sent, looked) : sent
  return { ...classify(check, seen.ended, seen.afterwards), breaks, afterwards: seen.afterwards, record }
}

function joined(one: Recorded, other: Recorded): Recorded {
  return {
    exchanges: [...one.exchanges, ...other.exchanges],
    omitted: one.omitted + other.omitted,
    steps: [...one.steps, ...other.steps],
    last: other.last ?? one.last,
  }
}

async function run({ check, api, run: act }: Stage): Promise<Ended> {
  try {
    if (mayChange(check, api)) await api.prepare()
    api.takeBrokenConnections()
    return { returned: await act() }
  } catch (threw) {
    return { threw }
  }
}

/** A server that hangs in this many checks in a row, with a restart after each, is given up. */
const maxHangs = 3

/**
 * If a request got no response, sends plain requests to see whether the server still responds. Throws `ServerReplaced` if
 * something else does.
 */
async function observeAfterwards(
  ended: Ended,
  breaks: Broken,
  last: Exchange | undefined,
  { check, api }: Stage,
): Promise<Afterwards | null> {
  const threw = 'threw' in ended ? ended.threw : null
  if (threw instanceof NoResponse) {
    if (await api.isAnswering()) return 'answers'
    note(api, { hangs: isTimeout(threw) ? api.state.hangs + 1 : 0 })
    return api.state.hangs < maxHangs && api.hasDied() ? 'died' : 'silent'
  }
  const isUnexpected = threw instanceof FailedExpectation || threw instanceof CannotArrange
  if (isUnexpected && last?.response && mayReplaceServer(last.response)) await api.requireServer()
  const isFailed = threw instanceof FailedExpectation && 'requirement' in check
  const isPassed = 'returned' in ended && 'requirement' in check
  // Raw bytes may get no response without an error.
  const isInDoubt = api.owned ? breaks.isLate && !isPassed : breaks.places.length > 0 && isFailed
  if (!isInDoubt) return null
  if (await api.isAnswering()) return 'answers'
  return api.owned ? 'died' : 'silent'
}

async function repeated(given: Attempt, stage: Stage): ReturnType<typeof confirm<Attempt>> {
  const { api, check } = stage
  const prepare = async () => {
    // Other checks keep the machine busy, which can cause a late response.
    await api.becomeAlone()
    await release(api)
    await cleanUp(stage)
    api.rewind?.()
  }
  // A server may close a reused connection at any time. From now on, no change is sent on one.
  const isUsable = api.owned || !given.breaks.isReused || !isOpen(given.finding, check)
  if (!isUsable) await prepare()
  const first = isUsable ? given : await attempt(stage)
  const unrepeated = { ...first, isSure: true }
  // If no rule may be added any more, a check that adds some cannot be repeated.
  const isClosed = () => mayChange(check, api) && api.closedReason(check) !== null
  if (isClosed()) return unrepeated
  // A server that crashed or hangs was not just slow.
  if (api.owned && first.breaks.isLate && first.afterwards !== 'answers' && isOpen(first.finding, check))
    return unrepeated
  const again = async (): Promise<Attempt> => {
    await prepare()
    const unsent = { ...first, breaks: noneBroken, cause: null, unanswered: null }
    // The clean-up detected another client, or the target is gone.
    if (api.state.stopped !== null) return { ...unsent, finding: stoppedFinding(api.state.stopped) }
    if (!isClosed()) return attempt(stage)
    // The clean-up got no response either, while the server answers other requests. A bad network can cause that too.
    return api.state.badNetwork ? { ...unsent, finding: passed } : first
  }
  const { owned, state } = api
  const result = await confirm(first, again, { shared: mayChange(check, api), owned, badNetwork: state.badNetwork })
  if (first.breaks.places.length > 0 && !result.isSure && !api.owned) note(api, { badNetwork: true })
  return result
}

async function excused(found: Finding, exchanges: readonly Exchange[], stage: Stage): Promise<Finding> {
  const { check, api, servers } = stage
  // The reason to stop the run outweighs the finding.
  if (found.stop !== null) return found
  const isUnsettled = isOpen(found, check)
  try {
    // A check that failed to add a rule because the list was full has judged nothing.
    const full = isUnsettled ? await api.fullReason(exchanges, servers) : null
    if (full !== null) return { ...passed, status: 'out-of-scope', message: full }
  } catch {
    return found
  }
  const limit = api.mayLimitRate ? rateLimit(found, isUnsettled, exchanges) : null
  return limit === null ? found : { ...passed, status: 'blocked', message: limit }
}

/** A response may contain the key, and so may texts that quote it. A failure is rendered from its redacted data. */
function redacted(finding: Finding, check: Case, { redact }: ServerUnderTest): Finding {
  const safe = (text: string | null) => (text === null ? null : safeText(text, redact))
  const { code, data, answer } = finding
  const facts = data === null ? null : safeData(data, redact)
  const { message, expected, actual } = code === null || facts === null ? finding : renderFailure(code, facts)
  return {
    ...finding,
    data: facts,
    message: safe(message),
    expected: safe(expected),
    actual: safe(actual),
    // The answer of an observation is an id of the kit, but that of an error-text probe is a text of the server.
    answer: 'about' in check ? safe(answer) : answer,
  }
}

/** How often a clean-up is tried if a response is lost. Each attempt reads the list again. */
const cleanUpAttempts = 3

type CleanUpFinding = Partial<Omit<Attempt, 'finding'>> & { readonly finding: Partial<Finding> }

/** Cleans up. Returns the problem that it found; null if there is none. */
async function cleanUp({ check, api, close }: Stage): Promise<CleanUpFinding | null> {
  try {
    await close()
    await cleanUpPatiently(check, api, cleanUpAttempts)
    return null
  } catch (error) {
    // The check itself has been judged. A list that the target does not let the kit clean up is reported at the end of
    // the run.
    const isOfTarget = [ConcurrentEdit, ServerFault, NoResponse, FailedExpectation].some(
      (kind) => error instanceof kind,
    )
    const isGone = error instanceof NoResponse && !api.owned && api.closedReason(check) === null
    if (isOfTarget) note(api, { stopped: reasonToStop(error, isGone ? 'silent' : null) })
    if (error instanceof ServerFault && isAbout(check, error))
      return { finding: redacted(findingOf(error.failure), check, api), cause: error.failure }
    if (error instanceof NoResponse && api.owned) {
      const ended = classify(check, { threw: error }, 'died')
      return { ...ended, finding: redacted(ended.finding, check, api), record: api.recorder.take() }
    }
    if (isOfTarget) return null
    return { finding: redacted(findingOf(error), check, api) }
  } finally {
    api.recorder.take()
  }
}

/** Tries again if a response was lost and the target answers others. */
async function cleanUpPatiently(check: Case, api: ServerUnderTest, attempts: number): Promise<void> {
  if (api.state.stopped !== null) return
  try {
    await api.cleanUp(check, attempts === 1)
  } catch (error) {
    if (attempts === 1 || api.owned || !(error instanceof NoResponse) || !(await api.isAnswering())) throw error
    await cleanUpPatiently(check, api, attempts - 1)
  }
}
