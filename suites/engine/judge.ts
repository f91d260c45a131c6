import { performance } from 'node:perf_hooks'
import { NoAnswer } from '../http/answer.ts'
import { NotRecorded } from '../recording/replay.ts'
import { Interference } from '../safety/interference.ts'
import { fillToCapacity } from '../session/fill.ts'
import { arranged } from '../session/rules.ts'
import type { LaunchedServer } from '../session/servers.ts'
import type { Session } from '../session/session.ts'
import { CannotArrange, FailedExpectation, OutOfScope } from '../vocabulary/failure.ts'
import type { Draft } from '../vocabulary/rule.ts'
import type { Check, Observation } from './check.ts'
import type { Context } from './context.ts'
import { toCurl } from './curl.ts'
import { whyFull } from './full-list.ts'
import { createLauncher, type Launcher } from './launch.ts'
import type { Exchange, Outcome } from './outcome.ts'
import { answersAgain, settle } from './settle.ts'

type Finding = Pick<Outcome, 'status' | 'message' | 'expected' | 'actual' | 'answer' | 'stop'>

const passed: Finding = { status: 'passed', message: null, expected: null, actual: null, answer: null, stop: null }

/**
 * Runs one check and says what became of it; never throws. Afterwards the list of the target is as
 * it was, but for rules that keep it full for the next check.
 */
export async function judge(check: Check | Observation, context: Context): Promise<Outcome> {
  const start = performance.now()
  context.recorder.take()
  context.unanswered = null
  const launcher = context.driver && createLauncher(context, context.driver)
  const first = redacted(await find(check, context, launcher), context)
  const { exchanges, omitted } = context.recorder.take()
  const finding = await excuseFullList(first, exchanges, context)
  const durationMs = performance.now() - start
  const untidied = await tidyUp(check, context, launcher)
  return {
    check: check.id,
    durationMs,
    exchanges,
    exchangesOmitted: omitted,
    curl: finding.status === 'failed' ? toCurl(context.unanswered ?? exchanges.at(-1)) : null,
    ...(untidied !== null && finding.status === 'passed'
      ? { ...finding, status: 'error' as const, message: untidied }
      : finding),
  }
}

async function find(check: Check | Observation, context: Context, launcher: Launcher | null): Promise<Finding> {
  if (context.stopped !== null) return stoppedFinding(context.stopped)
  try {
    if (check.risk !== 'read') context.before ??= await arranged(() => context.main.rules.read())
    const result = await check.run(createSession(context, launcher))
    return 'question' in check && result ? { ...passed, answer: result.answer, message: result.seen || null } : passed
  } catch (error) {
    const explained = await explainSilence(error, context).catch((inner: unknown) => inner)
    if (explained instanceof Interference) {
      context.stopped = { cause: 'interference', reason: explained.message }
    }
    if (context.stopped !== null) return stoppedFinding(context.stopped)
    const finding = findingOf(explained)
    // Whether a question could be answered says nothing about whether the server conforms.
    return 'question' in check && finding.status === 'failed' ? { ...finding, status: 'blocked' } : finding
  }
}

function createSession(context: Context, launcher: Launcher | null): Session {
  const { settings, main } = context
  const { target, maxFill } = settings
  const fillers = new Map<LaunchedServer, Draft[]>()
  const prepare: Session['prepare'] = (launchSettings) => {
    if (launcher === null) throw new Error('a check launches a server without needing the capability launch')
    return launcher.prepare(launchSettings)
  }
  return {
    plugin: main.plugin,
    rules: main.rules,
    raw: main.raw,
    address: addressOf(target.url),
    key: target.key,
    capacity: target.capacity,
    mayWrite: settings.risk !== 'read',
    owned: context.owned,
    seed: settings.seed,
    fill: () => fillToCapacity({ ...main, capacity: target.capacity, maxFill, filler: context.filler }),
    fillServer(server) {
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
async function explainSilence(error: unknown, context: Context): Promise<unknown> {
  if (!(error instanceof NoAnswer)) return error
  context.unanswered = error.exchange
  const silence = { expected: 'an answer', actual: error.message }
  if (await answersAgain(context)) return new FailedExpectation('a request was not answered', silence)
  if (context.driver !== null && context.settings.target.server !== null) {
    context.dead = true
    return new FailedExpectation('the server died', silence)
  }
  stopUnreachable(context, error)
  return error
}

/** A check that could not add a rule because the list was full from the start has judged nothing. */
async function excuseFullList(finding: Finding, exchanges: readonly Exchange[], context: Context): Promise<Finding> {
  if (finding.status !== 'failed' && finding.status !== 'blocked') return finding
  const message = await whyFull(context, exchanges).catch(() => null)
  return message === null ? finding : { ...passed, status: 'out-of-scope', message }
}

function stopUnreachable(context: Context, error: NoAnswer): void {
  context.stopped = { cause: 'unreachable', reason: `the target stopped answering: ${error.message}` }
}

function stoppedFinding({ cause, reason }: NonNullable<Context['stopped']>): Finding {
  return { ...passed, status: 'blocked', message: reason, stop: cause }
}

function findingOf(error: unknown): Finding {
  if (error instanceof FailedExpectation) {
    const { message, expected, actual } = error
    return { ...passed, status: 'failed', message, expected, actual }
  }
  if (error instanceof CannotArrange) return { ...passed, status: 'blocked', message: error.message }
  if (error instanceof OutOfScope) return { ...passed, status: 'out-of-scope', message: error.message }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { ...passed, status: 'error', message: text }
}

/** What a server says may contain the key, and so may what is said about it. */
function redacted(finding: Finding, { redact }: Context): Finding {
  const safe = (text: string | null) => (text === null ? null : cut(redact(text)))
  const { message, expected, actual } = finding
  return { ...finding, message: safe(message), expected: safe(expected), actual: safe(actual) }
}

/** Cut after it was redacted: a secret that the cut runs through would be half shown. */
function cut(text: string): string {
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

const mostShown = 1_000

/** Returns why it could not be done, or null. */
async function tidyUp(check: Check | Observation, context: Context, launcher: Launcher | null): Promise<string | null> {
  try {
    await launcher?.discardAll()
    if ((check.risk !== 'read' || context.dead) && context.stopped === null) await settle(context)
    return null
  } catch (error) {
    if (error instanceof Interference) {
      // The check itself has been judged; what follows it is stopped.
      context.stopped = { cause: 'interference', reason: error.message }
      return null
    }
    if (error instanceof NoAnswer && !context.owned) stopUnreachable(context, error)
    // A list that cannot be tidied up because of the target shows when the run ends.
    if (error instanceof NoAnswer || error instanceof FailedExpectation || error instanceof NotRecorded) return null
    return context.redact(`cleaning up failed: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    context.recorder.take()
  }
}
