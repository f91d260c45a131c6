import type { IncomingMessage } from 'node:http'
import type { RuleList } from '../../plugin/model/rule-list.ts'
import type { HttpApi } from '../../server/api.ts'
import { Dropped, ErrorResponse } from '../../server/error-response.ts'
import { bodyReadSoFar, type ReceivedBody } from '../../server/request-body.ts'
import type { HttpResponse } from '../../server/response.ts'
import { splitTarget } from '../../server/target.ts'
import type { RequestProgress } from '../../server/track.ts'
import { decide } from './decision.ts'
import type { JournalEntry } from './entry.ts'
import type { WritableJournal } from './journal.ts'
import { type BodyPrefix, mask, type Redactor, redactor } from './redact.ts'

/** What a journal looks at beside the request. */
export interface JournalContext {
  readonly rules: () => RuleList
  readonly key: string
}

/** A request on its way. */
interface PendingRequest {
  readonly startedAt: number
  readonly atMs: number
  /** Of the journal: what came before a clear is not written after it. */
  readonly volume: number
  /** The list that the request was worked out against. */
  before: RuleList
  /** The list that it left; undefined as long as it has left none. */
  after?: RuleList
  readonly steps: { -readonly [Part in keyof RequestProgress]: RequestProgress[Part] }
}

/** A request that has been answered, or never will be. */
interface AnsweredRequest {
  readonly request: IncomingMessage
  readonly state: PendingRequest
  readonly answer: HttpResponse | null
  readonly read: ReceivedBody | undefined
}

/** An API all of whose requests are written into a journal, with what was decided and why. */
export function recordRequests(api: HttpApi, journal: WritableJournal, { rules, key }: JournalContext): HttpApi {
  const open = new WeakMap<IncomingMessage, PendingRequest>()
  const redact = redactor(key)

  function close(request: IncomingMessage, answer: HttpResponse | null): void | Promise<void> {
    const state = open.get(request)
    if (state === undefined) return
    open.delete(request)
    // Most requests have no body, and need not wait for one.
    const reading = bodyReadSoFar(request)
    const write = (read?: ReceivedBody) => writeEntry({ request, state, answer, read })
    return reading === undefined ? write() : reading.then(write)
  }

  function writeEntry({ request, state, answer, read }: AnsweredRequest): void {
    if (state.volume !== journal.generation()) return
    const { method = '', url = '', rawHeaders } = request
    const { before, after = rules(), atMs, steps, startedAt } = state
    const sent = answer ?? steps.sent
    const seen: EntryFacts = {
      method,
      url,
      rawHeaders,
      redact,
      atMs,
      before,
      after,
      steps,
      body: read && redact.prefix(Buffer.concat(read.chunks)),
      status: sent?.status ?? null,
      answer: sent?.body && redact.prefix(sent.body),
      durationMs: Math.round(performance.now() - startedAt),
    }
    journal.write({ before, after, entry: () => entryOf(seen) })
  }

  // A listener that fails must not fail the request.
  const closeSafely = async (request: IncomingMessage, answer: HttpResponse | null) => {
    try {
      await close(request, answer)
    } catch (error) {
      api.log({ level: 'error', event: 'journal-failed', reason: error instanceof Error ? error.stack : `${error}` })
    }
  }

  return {
    ...api,
    respond: async (request, track) => {
      const state: PendingRequest = {
        startedAt: performance.now(),
        atMs: journal.clock.now(),
        volume: journal.generation(),
        before: rules(),
        steps: {},
      }
      open.set(request, state)
      const follow = (step: RequestProgress) => {
        if (step.stage !== undefined) state.steps.stage = step.stage
        if (step.operation !== undefined) state.steps.operation = step.operation
        if (step.fault !== undefined) state.steps.fault = step.fault
        if (step.sent !== undefined) state.steps.sent = step.sent
        // Both are told while no other change can come between.
        if (step.stage === 'apply') state.before = rules()
        if (step.stage === 'render') state.after = rules()
        track?.(step)
      }
      try {
        return await api.respond(request, follow)
      } catch (error) {
        if (error instanceof Dropped) await closeSafely(request, null)
        throw error
      }
    },
    finish: (answer, request) => {
      const last = api.finish(answer, request)
      void closeSafely(request, last)
      return last
    },
    unparsable: (problem, code) => recordUnparsable(api.unparsable(problem, code), journal, rules()),
    lowerCaseMethod: (method) => recordUnparsable(api.lowerCaseMethod(method), journal, rules()),
    unknownMethod: (method) => recordUnparsable(api.unknownMethod(method), journal, rules()),
  }
}

/** What is kept of a request until somebody looks at it. */
interface EntryFacts extends Pick<PendingRequest, 'atMs' | 'before' | 'steps'> {
  readonly method: string
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly body: BodyPrefix | undefined
  readonly status: number | null
  readonly answer: BodyPrefix | undefined
  readonly after: RuleList
  readonly durationMs: number
  readonly redact: Redactor
}

function entryOf(seen: EntryFacts): Omit<JournalEntry, 'id'> {
  const { method, url, status, before, after, redact, durationMs } = seen
  const { stage = null, operation = null, fault = null } = seen.steps
  const answer = seen.answer === undefined ? null : redact.body(seen.answer)
  const body = seen.body === undefined ? null : redact.body(seen.body)
  const target = redact.target(url)
  const reason = status !== null && status >= 400 ? errorIn(answer) : ''
  return {
    at: new Date(seen.atMs).toISOString(),
    method,
    target,
    headers: redact.headers(seen.rawHeaders),
    body,
    status,
    answer,
    stage,
    operation,
    ...decide({ status, method, path: splitTarget(url).path, stage, operation, reason, fault }),
    fault,
    durationMs,
    rulesBefore: before.length,
    rulesAfter: after.length,
    keyInTarget: target.includes(mask),
    keyInBody: body?.includes(mask) ?? false,
  }
}

/** What is no HTTP has neither method nor path that could be told. */
function recordUnparsable<Outcome extends object>(
  outcome: Outcome,
  journal: WritableJournal,
  rules: RuleList,
): Outcome {
  if ('replaceBy' in outcome) return outcome
  const isRefused = outcome instanceof ErrorResponse
  const reason = isRefused ? `: ${outcome.message}` : ''
  const atMs = journal.clock.now()
  journal.write({
    before: rules,
    after: rules,
    entry: () => ({
      at: new Date(atMs).toISOString(),
      method: '',
      target: '',
      headers: [],
      body: null,
      status: isRefused ? outcome.status : null,
      answer: null,
      stage: null,
      operation: null,
      decision: `refused, since it is no HTTP that the plugin knows${reason}`,
      because: ['plugin.robust.no-http'],
      fault: null,
      durationMs: 0,
      rulesBefore: rules.length,
      rulesAfter: rules.length,
      keyInTarget: false,
      keyInBody: false,
    }),
  })
  return outcome
}

/** The error text of an answer that refuses. */
function errorIn(answer: string | null): string {
  try {
    const { error } = JSON.parse(answer ?? '') as { error?: unknown }
    return typeof error === 'string' ? error : ''
  } catch {
    return ''
  }
}
