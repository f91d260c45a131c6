import { type Rule, samePair } from '../../plugin/model/rule.ts'
import { arrayOf } from '../../plugin/model/rule-list.ts'
import { createHistory, isFull, type RequestHistory } from './history.ts'
import type { JournalEntry, RecordedRequest, WritableJournal } from './journal.ts'

/** A mistake of the client. */
export interface Mistake {
  readonly kind: MistakeKind
  /** Id of the entry in the journal. */
  readonly entry: number
  /** The request itself, since a journal discards old entries. */
  readonly request: Pick<JournalEntry, 'method' | 'target' | 'body' | 'status'>
  /** What happened. */
  readonly what: string
  /** What the client should do. */
  readonly remedy: string
  /** The requirements and questions that say why. */
  readonly requirements: readonly string[]
}

export type MistakeKind = keyof typeof mistakeRules

/** What the detection of mistakes knows about a request besides its record. */
interface RequestContext {
  readonly history: RequestHistory
  readonly removal: ReturnType<RequestHistory['staleRemoval']>
  readonly added: Rule | undefined
}

/** Describes the mistake in a request; null if there is none. */
type Judge = (record: RecordedRequest, known: RequestContext) => string | null

/** A mistake: how to detect it, what the client should do, and the requirements and questions that explain it. */
type MistakeRow = readonly [judge: Judge, remedy: string, ...requirements: readonly string[]]

const pair = ({ master, follower }: { readonly master: bigint; readonly follower: bigint }) => `${master}>${follower}`

const mistakeRules = {
  'wrong-rule-removed': [
    (_one, { removal }) =>
      removal?.expected === undefined
        ? null
        : `removed rule ${pair(removal.removed)}, but the list that the client had read has ${pair(removal.expected)} at that index`,
    'Read GET /api/rules right before each DELETE, and find the rule by its content.',
    'plugin.delete.keeps-order',
  ],
  'stale-index': [
    (_one, { removal }) =>
      removal === null
        ? null
        : removal.hadList
          ? 'removed a rule by an index that was read before another change'
          : 'removed a rule by an index without reading the list first',
    'Read GET /api/rules right before each DELETE: every removal shifts the later indices.',
    'plugin.delete.keeps-order',
  ],
  'retried-unread': [
    (record, { history }) => {
      const before = history.unknown(record)
      return before ? `repeated the ${before.method} of entry ${before.id}, whose outcome is unknown` : null
    },
    'Read GET /api/rules before retrying a write: the first one may have taken effect.',
    'plugin.persist.list',
  ],
  'refusal-repeated': [
    (record, { history }) => {
      const before = history.rejected(record)
      return before?.status === record.entry.status
        ? `repeated the ${before.method} of entry ${before.id}, which was rejected in the same way`
        : null
    },
    'Fix the request before sending it again: it will be rejected again.',
    'plugin.errors.every',
  ],
  'full-list-ignored': [
    (record, { history }) =>
      isFull(record) && history.wasFull() ? 'sent another rule right after the capacity was reached' : null,
    'Stop adding when the capacity is reached, and remove a rule first.',
    'plugin.capacity.answers-500',
  ],
  'duplicate-rule': [
    (record, { added }) => {
      const twin = added && record.before.find((rule) => samePair(rule, added))
      return twin ? `the pair ${pair(twin)} was already in the list` : null
    },
    'Check GET /api/rules for the pair before adding it: the follower may copy each trade twice.',
    'plugin.add.duplicate',
    'plugin.add.same-pair',
  ],
  'self-copy': [
    (_one, { added }) =>
      added && added.master === added.follower ? `account ${added.master} would copy itself` : null,
    'Check that master and follower are different accounts.',
    'plugin.add.self-copy',
  ],
  'no-json-content-type': [
    ({ entry }) =>
      entry.method === 'POST' && entry.body && !entry.headers.some(isJsonType)
        ? 'sent a body without `Content-Type: application/json`'
        : null,
    'Send `Content-Type: application/json` with every body. A server may reject a body without it.',
    'plugin.body.content-type-absent',
    'plugin.body.content-type-wrong',
  ],
  'key-in-url': [
    ({ entry }) => (entry.keyInTarget ? 'sent the key in the URL' : null),
    'Send the key in the `X-API-Key` or `Authorization` header: URLs end up in logs.',
    'plugin.auth.only-the-headers',
  ],
  'key-in-body': [
    ({ entry }) => (entry.keyInBody ? 'sent the key in the body' : null),
    'Send the key only in the `X-API-Key` or `Authorization` header.',
    'plugin.auth.only-the-headers',
  ],
  'key-refused-again': [
    ({ entry }, { history }) =>
      entry.status === 401 && history.rejectedKeysInRow() >= 2
        ? 'sent a third request in a row with a rejected key'
        : null,
    'Stop at the first 401: the key will be rejected again.',
    'plugin.auth.reads-need-key',
    'plugin.auth.changes-need-key',
  ],
} satisfies Readonly<Record<string, MistakeRow>>

export const mistakeKinds = Object.entries<MistakeRow>(mistakeRules).map(([kind, [judge, remedy, ...requirements]]) => {
  return { kind: kind as MistakeKind, judge, remedy, requirements }
})

/** The returned function takes the requests in order. A client whose first requests are missing is not blamed. */
function createMistakeFinder(isTruncated: boolean): (record: RecordedRequest) => readonly Mistake[] {
  const history = createHistory(isTruncated)
  return (record) => {
    const { id: entry, method, target, body, status } = record.entry
    const request = { method, target, body, status }
    const known = { history, removal: history.staleRemoval(record), added: addedRule(record) }
    const found = mistakeKinds.flatMap(({ kind, judge, remedy, requirements }) => {
      const what = judge(record, known)
      return what === null ? [] : [{ kind, entry, request, what, remedy, requirements }]
    })
    history.add(record)
    return found
  }
}

export function mistakes(records: readonly RecordedRequest[], isTruncated = false): readonly Mistake[] {
  return records.flatMap(createMistakeFinder(isTruncated))
}

/** The listener gets the mistakes in the journal, then each new one. The returned function ends that. */
export function followMistakes(journal: WritableJournal, listener: (mistake: Mistake) => void): () => void {
  let find = createMistakeFinder(journal.forgotten() > 0)
  let records = journal.records()
  const examine = (record: RecordedRequest) => find(record).forEach(listener)
  records.forEach(examine)
  return journal.subscribe(() => {
    if (journal.records() !== records) find = createMistakeFinder(journal.forgotten() > 0)
    records = journal.records()
    records.slice(-1).forEach(examine)
  })
}

function isJsonType([name, value]: readonly [string, string]): boolean {
  return name.toLowerCase() === 'content-type' && /^application\/json\s*(;|$)/i.test(value)
}

/** Most rules keep their position: only the others are searched for in the whole list. */
function addedRule(record: RecordedRequest): Rule | undefined {
  if (record.entry.operation !== 'add-rule') return undefined
  const { before, after } = record
  return after.find((rule, index) => rule !== arrayOf(before)[index] && !before.includes(rule))
}
