import type { IncomingMessage } from 'node:http'
import type { RuleList } from '../../plugin/model/rule-list.ts'
import type { HttpApi } from '../../server/api.ts'
import { Dropped, ErrorResponse } from '../../server/error-response.ts'
import { bodyReadSoFar, type ReceivedBody } from '../../server/request-body.ts'
import type { HttpResponse } from '../../server/response.ts'
import { splitTarget } from '../../server/target.ts'
import type { RequestProgress, StageName } from '../../server/track.ts'
import { decide } from './decision.ts'
import type { JournalEntry, RequestSummary } from './entry.ts'
import type { WritableJournal } from './journal.ts'
import { type BodyPrefix, mask, type Redactor, redactor } from './redact.ts'

/** What the journal reads from the plugin besides its requests. */
export interface JournalContext {
  readonly rules: () => RuleList
  readonly key: string
}

/** A request that has no response yet. */
interface PendingRequest {
  readonly startedAt: number
  readonly atMs: number
  /** The generation of the journal: a request that arrived before a clear is not written after it. */
  readonly generation: number
  /** The list that the request was applied to. */
  before: RuleList
  /** The list after it; undefined until the request changes something. */
  after?: RuleList
  readonly progress: { -readonly [Part in keyof RequestProgress]: RequestProgress[Part] }
}

/** A request that has its response, or will never get one. */
interface FinishedRequest {
  readonly request: IncomingMessage
  readonly pending: PendingRequest
  readonly response: HttpResponse | null
  readonly received: ReceivedBody | undefined
}

/** Wraps an API: each request is written into the journal with the decision and its reason. */
export function recordRequests(api: HttpApi, journal: WritableJournal, context: JournalContext): HttpApi {
  const recorder = createRecorder(journal, context)
  // A listener that throws must not fail the request.
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
        recorder.rejected(request)
        if (error instanceof Dropped) await finishSafely(request, null)
        throw error
      }
    },
    finish: (response, request) => {
      const finished = api.finish(response, request)
      void finishSafely(request, finished)
      return finished
    },
    unparsable: (problem, code) => recorder.unparsable(api.unparsable(problem, code)),
    lowerCaseMethod: (method) => recorder.unparsable(api.lowerCaseMethod(method)),
    unknownMethod: (method) => recorder.unparsable(api.unknownMethod(method)),
  }
}

interface Recorder {
  /** Returns a function that records the progress of the request. */
  readonly start: (request: IncomingMessage) => (progress: RequestProgress) => void
  /** Records the list before a later request can change it. */
  readonly rejected: (request: IncomingMessage) => void
  /** Writes the entry once the body has been read as far as it will be. */
  readonly finish: (request: IncomingMessage, response: HttpResponse | null) => void | Promise<void>
  /** Writes the entry of a request that is not valid HTTP, unless it is replayed with another method. */
  readonly unparsable: <Outcome extends object>(outcome: Outcome) => Outcome
}

function createRecorder(journal: WritableJournal, { rules, key }: JournalContext): Recorder {
  const open = new WeakMap<IncomingMessage, PendingRequest>()
  const redact = redactor(key)

  function write({ request, pending, response, received }: FinishedRequest): void {
    if (pending.generation !== journal.generation()) return
    const { before, after = rules(), atMs, progress, startedAt } = pending
    const { method = '', url = '', rawHeaders } = request
    const sent = response ?? progress.sent
    const { stage = null, operation = null, fault = null } = progress
    const durationMs = Math.round(performance.now() - startedAt)
    const summary: RequestSummary = { method, operation, status: sent?.status ?? null, fault, durationMs }
    const facts: EntryFacts = {
      ...{ url, rawHeaders, redact, atMs, before, after, stage, summary },
      body: received && redact.prefix(Buffer.concat(received.chunks)),
      responseBody: sent?.body && redact.prefix(sent.body),
    }
    journal.write({ before, after, summary, entry: () => entryOf(facts) })
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
        // No other change can happen between this stage and reading the list here.
        if (progress.stage === 'apply') pending.before = rules()
        if (progress.stage === 'render') pending.after = rules()
      }
    },
    rejected: (request) => {
      const pending = open.get(request)
      if (pending !== undefined) pending.after ??= rules()
    },
    finish: (request, response) => {
      const pending = open.get(request)
      if (pending === undefined) return
      open.delete(request)
      // Most requests have no body, so there is nothing to wait for.
      const reading = bodyReadSoFar(request)
      if (reading === undefined) return write({ request, pending, response, received: undefined })
      return reading.then((received) => write({ request, pending, response, received }))
    },
    unparsable: (outcome) => {
      if ('replaceBy' in outcome) return outcome
      const error = outcome instanceof ErrorResponse ? outcome : undefined
      const summary = { method: '', operation: null, status: error?.status ?? null, fault: null, durationMs: 0 }
      const [before, atMs] = [rules(), journal.clock.now()]
      const facts = { url: '', rawHeaders: [], redact, atMs, before, after: before, stage: null, summary }
      const decision = `rejected: not valid HTTP${error === undefined ? '' : `: ${error.message}`}`
      const entry = () => ({ ...entryOf(facts), decision, because: ['plugin.robust.survives'] })
      journal.write({ before, after: before, summary, entry })
      return outcome
    },
  }
}

/** The stored facts of a request, from which its entry is made when it is read. */
interface EntryFacts extends Pick<PendingRequest, 'atMs' | 'before'> {
  readonly summary: RequestSummary
  readonly stage: StageName | null
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly body?: BodyPrefix | undefined
  readonly responseBody?: BodyPrefix | undefined
  readonly after: RuleList
  readonly redact: Redactor
}

function entryOf(facts: EntryFacts): Omit<JournalEntry, 'id'> {
  const { url, stage, before, after, redact } = facts
  const { method, operation, status, fault, durationMs } = facts.summary
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

/** The error text in the body of an error response. */
function errorIn(answer: string | null): string {
  try {
    const { error } = JSON.parse(answer ?? '') as { error?: unknown }
    return typeof error === 'string' ? error : ''
  } catch {
    return ''
  }
}
