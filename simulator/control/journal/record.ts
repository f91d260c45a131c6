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

/** What the journal needs of the plugin beside its requests. */
export interface JournalContext {
  readonly rules: () => RuleList
  readonly key: string
}

/** A request that has no response yet. */
interface PendingRequest {
  readonly startedAt: number
  readonly atMs: number
  /** Of the journal: a request that came before a clear is not written after it. */
  readonly generation: number
  /** The list that the request was applied to. */
  before: RuleList
  /** The list after it; undefined as long as the request has changed nothing. */
  after?: RuleList
  readonly progress: { -readonly [Part in keyof RequestProgress]: RequestProgress[Part] }
}

/** A request that has its response, or never gets one. */
interface FinishedRequest {
  readonly request: IncomingMessage
  readonly pending: PendingRequest
  readonly response: HttpResponse | null
  readonly received: ReceivedBody | undefined
}

/** An API that writes each request into the journal, with the decision and the reason for it. */
export function recordRequests(api: HttpApi, journal: WritableJournal, context: JournalContext): HttpApi {
  const { rules } = context
  const recorder = createRecorder(journal, context)
  // A listener that fails must not fail the request.
  const finishSafely = async (request: IncomingMessage, response: HttpResponse | null) => {
    try {
      await recorder.finish(request, response)
    } catch (error) {
      api.log({ level: 'error', event: 'journal-failed', reason: error instanceof Error ? error.stack : `${error}` })
    }
  }
  return {
    ...api,
    respond: async (request, track) => {
      const observe = recorder.start(request)
      try {
        return await api.respond(request, (progress) => {
          observe(progress)
          track?.(progress)
        })
      } catch (error) {
        if (error instanceof Dropped) await finishSafely(request, null)
        throw error
      }
    },
    finish: (response, request) => {
      const finished = api.finish(response, request)
      void finishSafely(request, finished)
      return finished
    },
    unparsable: (problem, code) => recordUnparsable(api.unparsable(problem, code), journal, rules()),
    lowerCaseMethod: (method) => recordUnparsable(api.lowerCaseMethod(method), journal, rules()),
    unknownMethod: (method) => recordUnparsable(api.unknownMethod(method), journal, rules()),
  }
}

interface Recorder {
  /** Returns what records the progress of the request. */
  readonly start: (request: IncomingMessage) => (progress: RequestProgress) => void
  /** Writes the entry, once the body has been read as far as it will be. */
  readonly finish: (request: IncomingMessage, response: HttpResponse | null) => void | Promise<void>
}

function createRecorder(journal: WritableJournal, { rules, key }: JournalContext): Recorder {
  const open = new WeakMap<IncomingMessage, PendingRequest>()
  const redact = redactor(key)

  function write({ request, pending, response, received }: FinishedRequest): void {
    if (pending.generation !== journal.generation()) return
    const { before, after = rules(), atMs, progress, startedAt } = pending
    const { method = '', url = '', rawHeaders } = request
    const sent = response ?? progress.sent
    const facts: EntryFacts = {
      ...{ method, url, rawHeaders, redact, atMs, before, after, progress },
      body: received && redact.prefix(Buffer.concat(received.chunks)),
      status: sent?.status ?? null,
      responseBody: sent?.body && redact.prefix(sent.body),
      durationMs: Math.round(performance.now() - startedAt),
    }
    journal.write({ before, after, entry: () => entryOf(facts) })
  }

  return {
    start: (request) => {
      const pending: PendingRequest = {
        startedAt: performance.now(),
        atMs: journal.clock.now(),
        generation: journal.generation(),
        before: rules(),
        progress: {},
      }
      open.set(request, pending)
      return (progress) => {
        Object.assign(pending.progress, progress)
        // No other change can come between these stages and the list that is read here.
        if (progress.stage === 'apply') pending.before = rules()
        if (progress.stage === 'render') pending.after = rules()
      }
    },
    finish: (request, response) => {
      const pending = open.get(request)
      if (pending === undefined) return
      open.delete(request)
      // Most requests have no body and need not wait for one.
      const reading = bodyReadSoFar(request)
      if (reading === undefined) return write({ request, pending, response, received: undefined })
      return reading.then((received) => write({ request, pending, response, received }))
    },
  }
}

/** What is stored of a request until its entry is read. */
interface EntryFacts extends Pick<PendingRequest, 'atMs' | 'before' | 'progress'> {
  readonly method: string
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly body: BodyPrefix | undefined
  readonly status: number | null
  readonly responseBody: BodyPrefix | undefined
  readonly after: RuleList
  readonly durationMs: number
  readonly redact: Redactor
}

function entryOf(facts: EntryFacts): Omit<JournalEntry, 'id'> {
  const { method, url, status, before, after, redact, durationMs } = facts
  const { stage = null, operation = null, fault = null } = facts.progress
  const answer = facts.responseBody === undefined ? null : redact.body(facts.responseBody)
  const body = facts.body === undefined ? null : redact.body(facts.body)
  const target = redact.text(url)
  const reason = status !== null && status >= 400 ? errorIn(answer) : ''
  return {
    at: new Date(facts.atMs).toISOString(),
    method,
    target,
    headers: redact.headers(facts.rawHeaders),
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

/** A request that is not valid HTTP has neither a method nor a path. */
function recordUnparsable<Outcome extends object>(
  outcome: Outcome,
  journal: WritableJournal,
  rules: RuleList,
): Outcome {
  if ('replaceBy' in outcome) return outcome
  const isErrorResponse = outcome instanceof ErrorResponse
  const reason = isErrorResponse ? `: ${outcome.message}` : ''
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
      status: isErrorResponse ? outcome.status : null,
      answer: null,
      stage: null,
      operation: null,
      decision: `rejected: not valid HTTP${reason}`,
      because: ['plugin.robust.survives'],
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

/** The error text in the body of an error response. */
function errorIn(answer: string | null): string {
  try {
    const { error } = JSON.parse(answer ?? '') as { error?: unknown }
    return typeof error === 'string' ? error : ''
  } catch {
    return ''
  }
}
