import { performance } from 'node:perf_hooks'
import { failure } from '../assertions/expect.ts'
import { CannotArrange, FailedExpectation, NotApplicable, OutOfScope } from '../assertions/failure.ts'
import { renderFailure } from '../assertions/render-failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { isTimeout } from '../client/failure-reason.ts'
import { CannotSend, NoResponse } from '../client/response.ts'
import { ConcurrentEdit, OtherRuleLost } from '../safety/culprits.ts'
import type { Case } from '../session/check.ts'
import { StepFailed, StepSkipped } from '../targets/live/step.ts'
import type { ApiUnderTest, OpenCheck, Stopped } from './api.ts'
import { type Attempt, type Broken, confirm, noneBroken } from './confirm.ts'
import { toScript } from './curl.ts'
import type { Outcome } from './outcome.ts'
import { type Finding, passed } from './outcome.ts'
import type { Hindered } from './plugin/hindrance.ts'
import { reproduction } from './reproduction.ts'
import { safeData, safeText } from './safe-failure.ts'

/**
 * Runs one check and returns its outcome; never throws. Afterwards the list of the target is as
 * it was, but for rules that keep it full for the next check.
 */
export async function judge(check: Case, api: ApiUnderTest): Promise<Outcome> {
  const start = performance.now()
  api.recorder.take()
  const stage: Stage = { check, api, open: api.openCheck(check), unanswered: null, cause: null }
  const first = await attempt(stage)
  const recordOfFirst = api.recorder.take()
  const { finding: confirmedFinding, attempt: decisive, isSure } = await confirmed(first, stage)
  const { exchanges, omitted, steps } = decisive === first ? recordOfFirst : api.recorder.take()
  const finding = await excused(confirmedFinding, exchanges, stage)
  if (finding.status === 'passed') api.hangs = 0
  if (omitted === 0 && isSure)
    noteHindrance(finding, { exchanges, hasBroken: decisive.breaks.places.length > 0 }, stage)
  const durationMs = performance.now() - start
  const cleanUpFailure = api.keeps?.(check) ? null : await cleanUp(stage)
  const failing = stage.unanswered ?? stage.cause?.exchange ?? exchanges.at(-1)
  const last = cleanUpFailure !== null && finding.status === 'passed' ? { ...finding, ...cleanUpFailure } : finding
  // A check may fail for what was sent earlier in the run, or when it was repeated.
  const isSentElsewhere = omitted === 0 && !exchanges.some(({ id }) => id === failing?.id)
  return {
    check: check.id,
    durationMs,
    exchanges: last.status === 'failed' && failing && isSentElsewhere ? [...exchanges, failing] : exchanges,
    exchangesOmitted: omitted,
    ...last,
    ...(last.status === 'failed' && failing !== undefined && { decidedBy: failing.id }),
    curl:
      last.status === 'failed'
        ? (last.curl ?? reproduction({ steps, omitted, failing, hint: api.stateHint(check) }, api.keyVariable))
        : null,
  }
}

/** A server that hangs in so many checks in a row, started again after each, is given up. */
const mostHangs = 3

/** One check at work. */
interface Stage {
  readonly check: Case
  readonly api: ApiUnderTest
  readonly open: OpenCheck
  /** The request that got no response. */
  unanswered: Exchange | null
  /** The failed expectation that the check ended with, or that kept it from being judged. */
  cause: FailedExpectation | null
}

/** What keeps a check from being judged is a failure of the server where nothing but the server can be the reason. */
function noteHindrance(finding: Finding, seen: Pick<Hindered, 'exchanges' | 'hasBroken'>, { api, cause }: Stage): void {
  const isUnjudged = finding.status === 'blocked' || finding.code === 'response.missing'
  if (isUnjudged && finding.stop === null) api.hindered({ ...seen, cause, status: finding.status })
}

async function attempt(stage: Stage): Promise<Attempt> {
  const { check, api } = stage
  Object.assign(stage, { unanswered: null, cause: null })
  const found = redacted(await find(stage), check, api)
  const breaks = api.takeBreaks()
  return { finding: await excuseSilence(found, breaks, api), breaks, cause: causeIn(stage) }
}

function causeIn({ cause }: Stage) {
  return cause?.code ?? null
}

async function confirmed(first: Attempt, stage: Stage): ReturnType<typeof confirm> {
  const { api, check, unanswered, cause } = stage
  const asItIs = { finding: first.finding, attempt: first, isSure: true }
  // Where nothing may be added any more, nothing can be repeated.
  if (api.closedReason(check) !== null) return asItIs
  // A server that has died or hangs was not just slow.
  if (api.owned && first.breaks.isLate && isOpen(first.finding, check) && !(await api.isAnswering())) return asItIs
  const repeat = async () => {
    // Other checks keep the machine busy, which can be the reason for a late response.
    await api.becomeAlone()
    await api.release()
    await cleanUp(stage)
    api.rewind?.()
    // The clean-up saw another client at work, or the target is gone.
    if (api.stopped !== null) return { finding: stoppedFinding(api.stopped), breaks: noneBroken, cause: null }
    if (api.closedReason(check) === null) return attempt(stage)
    // The clean-up got no response either, while the server answers other requests. A bad network can do that too.
    return api.badNetwork ? { finding: passed, breaks: noneBroken, cause: null } : first
  }
  const result = await confirm(first, repeat, {
    shared: check.risk !== 'read' && api.rewind !== null,
    owned: api.owned,
    badNetwork: api.badNetwork,
  })
  if (first.breaks.places.length > 0 && !result.isSure && !api.owned) api.badNetwork = true
  if (result.attempt === first) Object.assign(stage, { unanswered, cause })
  return result
}

/** A server that is gone has not failed because raw bytes got no response. */
async function excuseSilence(finding: Finding, { places }: Broken, api: ApiUnderTest): Promise<Finding> {
  if (api.owned || finding.status !== 'failed' || places.length === 0) return finding
  if (await api.isAnswering()) return finding
  api.stopped = { cause: 'unreachable', reason: 'the target stopped answering' }
  return stoppedFinding(api.stopped)
}

async function find(stage: Stage): Promise<Finding> {
  const { check, api, open } = stage
  const harm = await api.harm()
  if (harm !== null && isAbout(check, harm)) return harmed(harm, stage)
  if (api.stopped !== null) return stoppedBefore(check, api.stopped, api)
  try {
    if (check.risk !== 'read' && api.rewind !== null) {
      const closed = api.closedReason(check)
      if (closed !== null) return { ...passed, status: 'blocked', message: closed }
      await api.prepare()
    }
    api.takeBreaks()
    const result = await open.run(check)
    return result ? { ...passed, answer: result.answer, message: result.seen || null } : passed
  } catch (error) {
    const explained = await explainSilence(error, stage).catch((inner: unknown) => inner)
    if (explained instanceof ConcurrentEdit) {
      api.stopped = { cause: 'interference', reason: explained.message }
    }
    if (explained instanceof StepFailed) api.stopped = { cause: 'life-cycle', reason: explained.message }
    if (api.stopped !== null) return stoppedFinding(api.stopped)
    if (explained instanceof OtherRuleLost) return harmed(explained, stage)
    stage.cause = causeOf(explained)
    const finding = findingOf(explained, api)
    // Whether a question could be answered says nothing about whether the server conforms.
    return !('requirement' in check) && finding.status === 'failed' ? { ...finding, status: 'blocked' } : finding
  }
}

function isAbout(check: Case, { requirement }: OtherRuleLost): boolean {
  return 'requirement' in check && check.requirement === requirement
}

/** Harm to rules of others belongs to its own requirement. A check of another one is interrupted by it. */
function harmed(harm: OtherRuleLost, stage: Stage): Finding {
  const { check, api } = stage
  if (!isAbout(check, harm))
    return { ...passed, status: 'blocked', message: `${harm.failure.message} This counts for ${harm.requirement}.` }
  stage.cause = harm.failure
  return findingOf(harm.failure, api)
}

function causeOf(error: unknown): FailedExpectation | null {
  const cause = error instanceof CannotArrange ? error.cause : error
  return cause instanceof FailedExpectation ? cause : null
}

/**
 * A request without a response counts against the target only while the target answers others. If
 * it is gone, the rest of the run is blocked; a server of the kit's own is started again.
 */
async function explainSilence(error: unknown, stage: Stage): Promise<unknown> {
  if (!(error instanceof NoResponse)) return error
  const { api } = stage
  stage.unanswered = error.exchange
  const silence = { reason: error.message, difference: null }
  if (await api.isAnswering()) return failure('response.missing', silence)
  api.hangs = isTimeout(error) ? api.hangs + 1 : 0
  if (api.hangs < mostHangs && api.hasDied()) return failure('server.died', silence)
  stopUnreachable(api, error)
  return error
}

/** Whether something other than the server may be the reason for this result. */
function isOpen({ status, answer }: Finding, check: Case): boolean {
  return (
    status === 'failed' || status === 'blocked' || (!('requirement' in check) && status === 'passed' && answer === null)
  )
}

async function excused(found: Finding, exchanges: readonly Exchange[], stage: Stage): Promise<Finding> {
  const { check, api, open } = stage
  // Why the run stops is more than what this check shows.
  if (found.stop !== null) return found
  const excuse = await api.excuse({ ...found, isOpen: isOpen(found, check) }, exchanges, open.servers).catch(() => null)
  return excuse === null ? found : { ...passed, ...excuse }
}

function stopUnreachable(api: ApiUnderTest, error: NoResponse): void {
  const reason = `the target stopped answering: ${error.message}`
  const { method, url } = error.exchange.request
  const data = { request: `${method} ${url}`, reason: error.message, difference: null }
  // A connection that is refused or broken may be a matter of the network.
  const hung = isTimeout(error) ? { failure: failure('server.stopped-answering', data) } : {}
  api.stopped = { cause: 'unreachable', reason, ...hung }
}

/** The one check that is about it fails; any other has judged nothing. */
function stoppedBefore(check: Case, stopped: Stopped, api: ApiUnderTest): Finding {
  const { cause, failure } = stopped
  return check.reportsSilence && failure ? { ...findingOf(failure, api), stop: cause } : stoppedFinding(stopped)
}

function stoppedFinding({ cause, reason }: Stopped): Finding {
  return { ...passed, status: 'blocked', message: reason, stop: cause }
}

function findingOf(error: unknown, { keyVariable }: ApiUnderTest): Finding {
  if (error instanceof FailedExpectation) {
    const { code, data, steps } = error
    return { ...passed, status: 'failed', code, data, curl: toScript(steps, keyVariable) }
  }
  if (error instanceof CannotArrange) return { ...passed, status: 'blocked', message: error.message }
  if (error instanceof OutOfScope || error instanceof StepSkipped || error instanceof CannotSend)
    return { ...passed, status: 'out-of-scope', message: error.message }
  if (error instanceof NotApplicable) return { ...passed, status: 'not-applicable', message: error.message }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { ...passed, status: 'error', message: text }
}

/** A response may contain the key, and so may everything that quotes it. A failure is rendered from its safe data. */
function redacted(finding: Finding, check: Case, { redact }: ApiUnderTest): Finding {
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
    // The answer of an observation is the kit's own word, that of an error-text probe a text of the server.
    answer: 'about' in check ? safe(answer) : answer,
  }
}

/** How often a clean-up begins when a response is lost: it reads the list again. */
const cleanUpAttempts = 3

/** What it found instead of a clean list; null for nothing. */
async function cleanUp({ check, api, open }: Stage): Promise<Partial<Finding> | null> {
  try {
    await open.close()
    for (let left = cleanUpAttempts; left > 0 && api.stopped === null; left -= 1) {
      if (await isCleanedUp(check, api, left === 1)) break
    }
    return null
  } catch (error) {
    if (error instanceof ConcurrentEdit) {
      // The check itself has been judged; what follows it is stopped.
      api.stopped = { cause: 'interference', reason: error.message }
      return null
    }
    // The check itself has been judged.
    if (error instanceof OtherRuleLost) {
      return isAbout(check, error) ? redacted(findingOf(error.failure, api), check, api) : null
    }
    if (error instanceof NoResponse && !api.owned && api.closedReason(check) === null) stopUnreachable(api, error)
    // A list that cannot be tidied up because of the target shows when the run ends.
    if (error instanceof NoResponse || error instanceof FailedExpectation) return null
    const reason = error instanceof Error ? error.message : String(error)
    return { status: 'error', message: api.redact(`cleaning up failed: ${reason}`) }
  } finally {
    api.recorder.take()
  }
}

/** False where a response was lost and the target answers others, so that it can be tried again. */
async function isCleanedUp(check: Case, api: ApiUnderTest, isLast: boolean): Promise<boolean> {
  try {
    await api.cleanUp(check, isLast)
    return true
  } catch (error) {
    if (isLast || api.owned || !(error instanceof NoResponse) || !(await api.isAnswering())) throw error
    return false
  }
}
