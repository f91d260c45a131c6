import type { IncomingMessage } from 'node:http'
import type { PluginInstanceOptions } from '../../plugin/instance.ts'
import type { RuleList } from '../../plugin/model/rule-list.ts'
import type { HttpApi, StageName, Track } from '../../server/api.ts'
import { bodyReadSoFar, type ReceivedBody } from '../../server/request-body.ts'
import { ErrorResponse, type HttpResponse } from '../../server/response.ts'
import { splitTarget } from '../../server/target.ts'
import { type Decision, decide } from './decision.ts'
import type { JournalEntry, NumberedRecord, RecordedRequest, WritableJournal } from './journal.ts'
import { type BodyPrefix, mask, redactor } from './redact.ts'

type Watched = Parameters<PluginInstanceOptions['wrapApi']>[1]
type Recorder = ReturnType<typeof recorderOf>

const recorderOf = (journal: WritableJournal, { rules, key }: Watched, { log }: HttpApi) => {
  return { journal, rules, redact: redactor(key), shared: sharing(), log }
}

/** Wraps an API: each request is written into the journal with the decision and its reason. */
export function recordRequests(api: HttpApi, journal: WritableJournal, context: Watched): HttpApi {
  const recorder = recorderOf(journal, context, api)
  const unparsable = <Outcome extends object>(outcome: Outcome): Outcome => {
    // A request that is replayed with another method has a record of its own.
    if ('replaceBy' in outcome) return outcome
    const record = new RequestRecord(undefined, recorder)
    const error = outcome instanceof ErrorResponse ? outcome : undefined
    record.status = error?.status ?? null
    const decision = `rejected: not valid HTTP${error === undefined ? '' : `: ${error.message}`}`
    record.decision = { decision, because: ['plugin.robust.survives'] }
    write(record)
    return outcome
  }
  return {
    ...api,
    track: (request) => new RequestRecord(request, recorder),
    unparsable: (problem, code) => unparsable(api.unparsable(problem, code)),
    lowerCaseMethod: (method) => unparsable(api.lowerCaseMethod(method)),
    unknownMethod: (method) => unparsable(api.unknownMethod(method)),
  }
}

/** The same array for the same headers. Those of a client seldom change, and a journal holds thousands. */
function sharing() {
  let last: readonly string[] = []
  return (next: readonly string[]) => {
    const isSame = next.length === last.length && next.every((text, at) => text === last[at])
    if (!isSame) last = next
    return last
  }
}

/** Follows a request, and is its record from then on. The entry is made when it is read: most entries are never read. */
class RequestRecord implements Track, NumberedRecord {
  readonly method: string
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly recorder: Recorder
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
  /** For invalid HTTP. For a request it is made with the entry. */
  decision: Decision | undefined = undefined
  id = 0
  #entry: JournalEntry | undefined
  readonly #startedAt = performance.now()
  /** A request that arrived before the journal was cleared is not written after it. */
  readonly #written: readonly RecordedRequest[]
  /** Undefined once it has ended: a record must not keep it in memory. */
  #request: IncomingMessage | undefined

  constructor(request: IncomingMessage | undefined, recorder: Recorder) {
    const { journal, rules, shared } = recorder
    this.method = request?.method ?? ''
    this.url = request?.url ?? ''
    this.rawHeaders = shared(request?.rawHeaders ?? [])
    this.recorder = recorder
    this.atMs = journal.clock.now()
    this.before = rules()
    this.after = this.before
    this.#written = journal.records()
    this.#request = request
  }

  get entry(): JournalEntry {
    this.#entry ??= entryOf(this)
    return this.#entry
  }

  onStage(stage: StageName): void {
    this.stage = stage
    // No other change can happen between these stages and reading the list here. A request that ends in another stage
    // has changed nothing.
    if (stage === 'apply') this.before = this.recorder.rules()
    if (stage === 'apply' || stage === 'render') this.after = this.recorder.rules()
  }

  onResponse({ status, body }: HttpResponse): void {
    this.status = status
    this.responseBody = body && this.recorder.redact.prefix(body)
  }

  onEnd(): void | Promise<void> {
    const reading = this.#request && bodyReadSoFar(this.#request)
    this.#request = undefined
    // Most requests have no body, so there is nothing to wait for.
    if (reading === undefined) return this.#write(undefined)
    return reading.then((received) => this.#write(received))
  }

  #write(received: ReceivedBody | undefined): void {
    const { journal, redact } = this.recorder
    if (this.#written !== journal.records()) return
    this.durationMs = Math.round(performance.now() - this.#startedAt)
    this.body = received && redact.prefix(Buffer.concat(received.chunks))
    write(this)
  }
}

/** A listener that throws does not fail the request. */
function write(record: RequestRecord): void {
  const { journal, log } = record.recorder
  try {
    journal.write(record)
  } catch (error) {
    log({ level: 'error', event: 'journal-failed', reason: error instanceof Error ? error.stack : `${error}` })
  }
}

function entryOf(record: RequestRecord): JournalEntry {
  const { method, url, stage, operation, fault, status, durationMs, before, after } = record
  const { redact } = record.recorder
  const answer = record.responseBody === undefined ? null : redact.body(record.responseBody)
  const body = record.body === undefined ? null : redact.body(record.body)
  const target = redact.text(url)
  const reason = status !== null && status >= 400 ? errorIn(answer) : ''
  const decided = { status, method, path: splitTarget(url).path, stage, operation, reason, fault }
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
    ...(record.decision ?? decide(decided)),
    fault,
    durationMs,
    rulesBefore: before.length,
    rulesAfter: after.length,
    keyInTarget: target.includes(mask),
    keyInBody: body?.includes(mask) ?? false,
  }
}

function errorIn(answer: string | null): string {
  try {
    const { error } = JSON.parse(answer ?? '') as { error?: unknown }
    return typeof error === 'string' ? error : ''
  } catch {
    return ''
  }
}
