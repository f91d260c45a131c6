import type { IncomingMessage } from 'node:http'
import type { RuleList } from '../../plugin/model/rule-list.ts'
import type { HttpApi } from '../../server/api.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import { bodyReadSoFar, type ReceivedBody } from '../../server/request-body.ts'
import type { HttpResponse } from '../../server/response.ts'
import { splitTarget } from '../../server/target.ts'
import type { StageName, Track } from '../../server/track.ts'
import { type Decision, decide } from './decision.ts'
import type { JournalEntry } from './entry.ts'
import type { NumberedRecord, WritableJournal } from './journal.ts'
import { type BodyPrefix, mask, type Redactor, redactor } from './redact.ts'

/** What the journal reads from the plugin besides its requests. */
export interface JournalContext {
  readonly rules: () => RuleList
  readonly key: string
}

/** What all records of a plugin share. */
interface Recorder {
  readonly journal: WritableJournal
  readonly rules: () => RuleList
  readonly redact: Redactor
  /** The same array for the same headers. Those of a client seldom change, and a journal holds thousands. */
  readonly shared: (rawHeaders: readonly string[]) => readonly string[]
  readonly log: HttpApi['log']
}

/** Wraps an API: each request is written into the journal with the decision and its reason. */
export function recordRequests(api: HttpApi, journal: WritableJournal, { rules, key }: JournalContext): HttpApi {
  const recorder: Recorder = { journal, rules, redact: redactor(key), shared: sharing(), log: api.log }
  const unparsable = <Outcome extends object>(outcome: Outcome): Outcome => {
    // A request that is replayed with another method has a record of its own.
    if ('replaceBy' in outcome) return outcome
    const record = new RequestRecord({ method: '', url: '', rawHeaders: [] }, recorder)
    record.parseError = outcome instanceof ErrorResponse ? outcome : null
    record.status = record.parseError?.status ?? null
    journal.write(record)
    return outcome
  }
  return {
    ...api,
    track: (request) => new TrackedRequest(request, recorder),
    unparsable: (problem, code) => unparsable(api.unparsable(problem, code)),
    lowerCaseMethod: (method) => unparsable(api.lowerCaseMethod(method)),
    unknownMethod: (method) => unparsable(api.unknownMethod(method)),
  }
}

function sharing(): Recorder['shared'] {
  let last: readonly string[] = []
  return (next) => {
    const isSame = next.length === last.length && next.every((text, at) => text === last[at])
    if (!isSame) last = next
    return last
  }
}

/** The facts of a request. They become an entry when it is read: most entries are never read. */
class RequestRecord implements NumberedRecord {
  readonly method: string
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly atMs: number
  /** The list that the request was applied to, and the list after it. */
  before: RuleList
  after: RuleList
  stage: StageName | null = null
  operation: string | null = null
  fault: string | null = null
  status: number | null = null
  durationMs = 0
  body: BodyPrefix | undefined = undefined
  responseBody: BodyPrefix | undefined = undefined
  /** Undefined for valid HTTP; null if there is no response to invalid HTTP. */
  parseError: ErrorResponse | null | undefined = undefined
  readonly redact: Redactor
  id = 0
  #entry: JournalEntry | undefined

  constructor(
    { method = '', url = '', rawHeaders }: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>,
    { journal, rules, redact, shared }: Recorder,
  ) {
    this.method = method
    this.url = url
    this.rawHeaders = shared(rawHeaders)
    this.atMs = journal.clock.now()
    this.before = rules()
    this.after = this.before
    this.redact = redact
  }

  get entry(): JournalEntry {
    this.#entry ??= entryOf(this)
    return this.#entry
  }
}

/** Fills in the record of a request until it is written. */
class TrackedRequest implements Track {
  readonly #request: IncomingMessage
  readonly #recorder: Recorder
  readonly #record: RequestRecord
  readonly #startedAt = performance.now()
  /** A request that arrived before the journal was cleared is not written after it. */
  readonly #generation: number
  #sent: HttpResponse | undefined

  constructor(request: IncomingMessage, recorder: Recorder) {
    this.#request = request
    this.#recorder = recorder
    this.#record = new RequestRecord(request, recorder)
    this.#generation = recorder.journal.generation()
  }

  onStage(stage: StageName): void {
    this.#record.stage = stage
    // No other change can happen between these stages and reading the list here. A request that ends in another stage
    // has changed nothing.
    if (stage === 'apply') this.#record.before = this.#recorder.rules()
    if (stage === 'apply' || stage === 'render') this.#record.after = this.#recorder.rules()
  }

  onOperation(name: string): void {
    this.#record.operation = name
  }

  onFault(id: string): void {
    this.#record.fault = id
  }

  onSent(response: HttpResponse): void {
    this.#sent = response
  }

  onEnd(response = this.#sent): void | Promise<void> {
    // Most requests have no body, so there is nothing to wait for.
    const reading = bodyReadSoFar(this.#request)
    if (reading === undefined) return this.#write(response, undefined)
    return reading.then((received) => this.#write(response, received))
  }

  #write(response: HttpResponse | undefined, received: ReceivedBody | undefined): void {
    const { journal, redact, log } = this.#recorder
    const record = this.#record
    if (this.#generation !== journal.generation()) return
    record.status = response?.status ?? null
    record.durationMs = Math.round(performance.now() - this.#startedAt)
    record.body = received && redact.prefix(Buffer.concat(received.chunks))
    record.responseBody = response?.body && redact.prefix(response.body)
    try {
      journal.write(record)
    } catch (error) {
      // A listener that throws must not fail the request.
      log({ level: 'error', event: 'journal-failed', reason: error instanceof Error ? error.stack : `${error}` })
    }
  }
}

function entryOf(record: RequestRecord): JournalEntry {
  const { method, url, stage, operation, fault, status, durationMs, before, after, parseError, redact } = record
  const answer = record.responseBody === undefined ? null : redact.body(record.responseBody)
  const body = record.body === undefined ? null : redact.body(record.body)
  const target = redact.text(url)
  const reason = status !== null && status >= 400 ? errorIn(answer) : ''
  const decision =
    parseError === undefined
      ? decide({ status, method, path: splitTarget(url).path, stage, operation, reason, fault })
      : unparsableDecision(parseError)
  return {
    id: record.id,
    at: new Date(record.atMs).toISOString(),
    method,
    target,
    headers: redact.headers(record.rawHeaders),
    body,
    status,
    answer,
    stage,
    operation,
    ...decision,
    fault,
    durationMs,
    rulesBefore: before.length,
    rulesAfter: after.length,
    keyInTarget: target.includes(mask),
    keyInBody: body?.includes(mask) ?? false,
  }
}

function unparsableDecision(error: ErrorResponse | null): Decision {
  const decision = `rejected: not valid HTTP${error === null ? '' : `: ${error.message}`}`
  return { decision, because: ['plugin.robust.survives'] }
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
