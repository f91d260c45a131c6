import { performance } from 'node:perf_hooks'
import { CannotArrange, FailedExpectation, NotApplicable, OutOfScope } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { CannotSend, NoResponse } from '../client/response.ts'
import type { Draft } from '../model/rule.ts'
import { ConcurrentEdit } from '../safety/concurrent-edit.ts'
import type { Case } from '../session/check.ts'
import { fillToCapacity } from '../session/fill.ts'
import type { PlatformSession } from '../session/platform-session.ts'
import type { LaunchedServer } from '../session/servers.ts'
import type { Session } from '../session/session.ts'
import { StepFailed, StepSkipped } from '../targets/live/step.ts'
import { type Attempt, confirm } from './confirm.ts'
import { toCurl, toScript } from './curl.ts'
import { type Finding, passed } from './finding.ts'
import type { Outcome } from './outcome.ts'
import type { Context } from './plugin/context.ts'
import { createLauncher, type Launcher, newKey } from './plugin/launch.ts'
import { answersAgain, releaseFiller } from './plugin/settle.ts'
import { type Subject, subjectOf } from './subject.ts'

/**
 * Runs one check and says what became of it; never throws. Afterwards the list of the target is as
 * it was, but for rules that keep it full for the next check.
 */
export async function judge(check: Case, context: Context): Promise<Outcome> {
  const start = performance.now()
  context.recorder.take()
  context.unanswered = null
  context.filled = false
  const launcher = context.driver && createLauncher(context, context.driver)
  const stage = { check, context, subject: subjectOf(check, context), launcher }
  const first = await attempt(stage)
  const { exchanges, omitted } = context.recorder.take()
  const sure = await confirmed(first, stage)
  const finding = await excused(sure, exchanges, stage)
  const durationMs = performance.now() - start
  const untidied = await tidyUp(stage)
  return {
    check: check.id,
    durationMs,
    exchanges,
    exchangesOmitted: omitted,
    ...(untidied !== null && finding.status === 'passed'
      ? { ...finding, status: 'error' as const, message: untidied }
      : finding),
    curl:
      finding.status === 'failed'
        ? (finding.curl ?? toCurl(context.unanswered ?? exchanges.at(-1), stage.subject.keyVariable))
        : null,
  }
}

/** What a check is run with. */
interface Stage {
  readonly check: Case
  readonly context: Context
  readonly subject: Subject
  readonly launcher: Launcher | null
}

async function attempt(stage: Stage): Promise<Attempt> {
  const { check, context } = stage
  const found = redacted(await find(stage), check, context)
  const breaks = context.breaks.take()
  return { finding: await excuseSilence(found, breaks, context), breaks }
}

/** A server that the kit started is on this machine: nothing but itself can break its connections. */
async function confirmed(first: Attempt, stage: Stage): Promise<Finding> {
  const { context } = stage
  if (context.owned) return first.finding
  const { unanswered } = context
  const finding = await confirm(first, async () => {
    await releaseFiller(context)
    await tidyUp(stage)
    return attempt(stage)
  })
  context.unanswered = unanswered
  return finding
}

/** Bytes without an answer are no failure of a server that is gone. */
async function excuseSilence(finding: Finding, breaks: readonly number[], context: Context): Promise<Finding> {
  if (context.owned || finding.status !== 'failed' || breaks.length === 0) return finding
  if (await answersAgain(() => context.main.plugin.status())) return finding
  context.stopped = { cause: 'unreachable', reason: 'the target stopped answering' }
  return stoppedFinding(context.stopped)
}

async function find({ check, context, subject, launcher }: Stage): Promise<Finding> {
  const { state } = subject
  if (state.stopped !== null) return stoppedFinding(state.stopped)
  try {
    if (check.risk !== 'read') {
      const closed = subject.closed()
      if (closed !== null) return { ...passed, status: 'blocked', message: closed }
      await subject.prepare()
    }
    context.breaks.take()
    const result = await check.run(createSession(context, launcher))
    return result ? { ...passed, answer: result.answer, message: result.seen || null } : passed
  } catch (error) {
    const explained = await explainSilence(error, context, subject).catch((inner: unknown) => inner)
    if (explained instanceof ConcurrentEdit) {
      state.stopped = { cause: 'interference', reason: explained.message }
    }
    if (explained instanceof StepFailed) state.stopped = { cause: 'life-cycle', reason: explained.message }
    if (state.stopped !== null) return stoppedFinding(state.stopped)
    const finding = findingOf(explained, subject)
    // Whether a question could be answered says nothing about whether the server conforms.
    return !('requirement' in check) && finding.status === 'failed' ? { ...finding, status: 'blocked' } : finding
  }
}

/** Stands where no platform is judged, for checks that do not ask it. */
const noPlatform = new Proxy({} as PlatformSession, {
  get() {
    throw new Error('a check asks a platform without needing the capability platform')
  },
})

function createSession(context: Context, launcher: Launcher | null): Session {
  const { settings, main } = context
  const { target, maxFill } = settings
  const fillers = new Map<LaunchedServer, Draft[]>()
  const prepare: Session['prepare'] = (launchSettings) => {
    if (launcher === null) throw new Error('a check launches a server without needing the capability launch')
    return launcher.prepare(launchSettings)
  }
  return {
    platform: context.platform?.session ?? noPlatform,
    plugin: main.plugin,
    rules: main.rules,
    raw: main.raw,
    address: addressOf(target.url),
    key: target.key,
    newKey: () => newKey(context),
    capacity: target.capacity,
    mayWrite: settings.risk !== 'read',
    owned: context.owned,
    seed: settings.seed,
    thorough: settings.thorough,
    fill() {
      context.filled = true
      return fillToCapacity({ ...main, capacity: target.capacity, maxFill, filler: context.filler })
    },
    fillServer(server) {
      context.filled = true
      const filler = fillers.get(server) ?? []
      fillers.set(server, filler)
      return fillToCapacity({ ...server, capacity: target.capacity, maxFill, filler })
    },
    prepare,
    async launch(launchSettings) {
      const server = await prepare(launchSettings)
      await server.start()
      return server
    },
  }
}

function addressOf(url: string): Session['address'] {
  const { host, pathname } = new URL(url)
  return { host, prefix: pathname.replace(/\/$/, '') }
}

/**
 * A request without an answer counts against the target only while the target answers others. If
 * it is gone, the rest of the run is blocked; a server of the kit's own is started again.
 */
async function explainSilence(error: unknown, context: Context, subject: Subject): Promise<unknown> {
  if (!(error instanceof NoResponse)) return error
  context.unanswered = error.exchange
  const silence = { expected: 'an answer', actual: error.message }
  if (await subject.answersAgain()) return new FailedExpectation('a request was not answered', silence)
  if (subject.revive()) return new FailedExpectation('the server died', silence)
  stopUnreachable(subject, error)
  return error
}

/** Whether it may have come to nothing for a reason that the server need not answer for. */
function isOpen({ status, answer }: Finding, check: Case): boolean {
  return (
    status === 'failed' || status === 'blocked' || (!('requirement' in check) && status === 'passed' && answer === null)
  )
}

async function excused(found: Finding, exchanges: readonly Exchange[], stage: Stage): Promise<Finding> {
  const { check, subject, launcher } = stage
  const open = { ...found, isOpen: isOpen(found, check) }
  const excuse = await subject.excuse(open, exchanges, launcher?.servers ?? []).catch(() => null)
  return excuse === null ? found : { ...passed, ...excuse }
}

function stopUnreachable({ state }: Subject, error: NoResponse): void {
  state.stopped = { cause: 'unreachable', reason: `the target stopped answering: ${error.message}` }
}

function stoppedFinding({ cause, reason }: NonNullable<Context['stopped']>): Finding {
  return { ...passed, status: 'blocked', message: reason, stop: cause }
}

function findingOf(error: unknown, { keyVariable }: Subject): Finding {
  if (error instanceof FailedExpectation) {
    const { message, expected, actual, steps, exchange } = error
    const curl = toScript(steps) ?? toCurl(exchange ?? undefined, keyVariable)
    return { ...passed, status: 'failed', message, expected, actual, curl }
  }
  if (error instanceof CannotArrange) return { ...passed, status: 'blocked', message: error.message }
  if (error instanceof OutOfScope || error instanceof StepSkipped || error instanceof CannotSend)
    return { ...passed, status: 'out-of-scope', message: error.message }
  if (error instanceof NotApplicable) return { ...passed, status: 'not-applicable', message: error.message }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { ...passed, status: 'error', message: text }
}

/** What a server says may contain the key, and so may what is said about it. */
function redacted(finding: Finding, check: Case, { redact }: Context): Finding {
  const safe = (text: string | null) => (text === null ? null : cut(redact(text)))
  const { message, expected, actual } = finding
  // The answer of an observation is the kit's own word, that of a sounding a text of the server.
  const answer = 'about' in check ? safe(finding.answer) : finding.answer
  return { ...finding, message: safe(message), expected: safe(expected), actual: safe(actual), answer }
}

/** Cut after it was redacted: a secret that the cut runs through would be half shown. */
function cut(text: string): string {
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

const mostShown = 1_000

/** Returns why it could not be done, or null. */
async function tidyUp({ check, context, subject, launcher }: Stage): Promise<string | null> {
  try {
    await launcher?.discardAll()
    if (subject.state.stopped === null) await subject.settle(check)
    return null
  } catch (error) {
    if (error instanceof ConcurrentEdit) {
      // The check itself has been judged; what follows it is stopped.
      subject.state.stopped = { cause: 'interference', reason: error.message }
      return null
    }
    if (error instanceof NoResponse && !subject.owned) stopUnreachable(subject, error)
    // A list that cannot be tidied up because of the target shows when the run ends.
    if (error instanceof NoResponse || error instanceof FailedExpectation) return null
    return context.redact(`cleaning up failed: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    context.recorder.take()
  }
}
