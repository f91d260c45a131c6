import type { StageName } from '../../server/api.ts'
import type { JournalEntry } from './journal.ts'

interface AnsweredFacts extends Pick<JournalEntry, 'status' | 'method' | 'stage' | 'operation' | 'fault'> {
  readonly path: string
  /** The error message, or an empty string. */
  readonly reason: string
}

export type Decision = Pick<JournalEntry, 'decision' | 'because'>

type Reason = readonly [when: (decided: AnsweredFacts) => boolean, ...because: readonly string[]]

const isRule = (path: string) => /^\/api\/rules\/[^/]+$/.test(path)
export const answered = (status: number | null) => (entry: Pick<JournalEntry, 'status'>) => entry.status === status
/** HEAD is served without what the operation returns. */
export const served =
  (operation: string, status: number) => (entry: Pick<JournalEntry, 'method' | 'status' | 'operation'>) =>
    entry.operation === operation && entry.status === status && entry.method !== 'HEAD'
const withoutKey = (line: RegExp) => (decided: AnsweredFacts) =>
  decided.status === 401 && line.test(`${decided.method} ${decided.path}`)

const reads = /^GET \/api\/(status|rules)$/
const changes = /^(POST \/api\/rules|DELETE \/api\/rules\/[^/]+)$/

/** The first row that applies names the clauses behind the response. */
export const reasons: readonly Reason[] = [
  // If the path or the method is wrong too, the profile decides which error comes first.
  [
    ({ status, stage }) => status === 401 && stage === 'route',
    ...['plugin.errors.every', 'plugin.auth.before-path', 'plugin.auth.before-method'],
  ],
  [withoutKey(reads), 'plugin.errors.every', 'plugin.auth.reads-need-key'],
  [withoutKey(changes), 'plugin.errors.every', 'plugin.auth.changes-need-key'],
  [answered(401), 'plugin.errors.every'],
  [({ status, method }) => status === 200 && method === 'HEAD', 'plugin.method.head'],
  [served('read-status', 200), 'plugin.status.ok'],
  [served('list-rules', 200), 'plugin.list.ok', 'plugin.list.all-active'],
  [served('add-rule', 201), 'plugin.add.created', 'plugin.persist.list'],
  [served('remove-rule', 200), 'plugin.delete.keeps-order', 'plugin.persist.list'],
  [served('show-methods', 200), 'plugin.method.options'],
  [served('show-methods', 204), 'plugin.method.options'],
  [({ status }) => status === 301 || status === 308, 'plugin.path.trailing-slash'],
  [({ status, path }) => status === 404 && isRule(path), 'plugin.delete.index-past-end'],
  [answered(404), 'plugin.path.unknown'],
  [({ status, path }) => status === 405 && isRule(path), 'plugin.method.rule', 'plugin.method.allow'],
  [answered(405), 'plugin.method.not-allowed', 'plugin.method.allow'],
  [answered(413), 'plugin.body.size-limit'],
  [answered(415), 'plugin.body.content-type-absent', 'plugin.body.content-type-wrong'],
  [
    ({ status, stage }) => status !== null && status >= 400 && status < 500 && stage === 'apply',
    ...['plugin.add.duplicate', 'plugin.add.same-pair', 'plugin.add.self-copy'],
  ],
  [answered(400), 'plugin.errors.every'],
  [({ status, stage }) => status === 500 && stage === 'apply', 'plugin.capacity.answers-500'],
  [answered(500), 'plugin.errors.every'],
]

export function decide(decided: AnsweredFacts): Decision {
  const { status, stage, reason, fault } = decided
  const [, ...because] = (status !== null && reasons.find(([when]) => when(decided))) || []
  const decision = `${outcomeText(status, stage)}${reason === '' ? '' : `: ${reason}`}`
  return { decision: fault === null ? decision : `${decision} (fault ${fault} was played)`, because }
}

function outcomeText(status: number | null, stage: StageName | null): string {
  if (status === null) return 'no response'
  if (status < 400) return 'served'
  if (status === 401) return 'rejected: key'
  return stage === null ? 'rejected' : `rejected in stage ${stage}`
}
