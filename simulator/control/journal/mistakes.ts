import { type Rule, samePair } from '../../plugin/model/rule.ts'
import type { RecordedRequest } from './entry.ts'
import { createHistory, isWrite, type RequestHistory } from './history.ts'
import { isServed, type StaleRemoval, staleRemovals } from './stale-removals.ts'

/** Something that a client did and should not have done. */
export interface Mistake {
  readonly kind: MistakeKind
  /** Id of the entry in the journal. */
  readonly entry: number
  /** What happened, in words. */
  readonly what: string
  /** What the client should do. */
  readonly remedy: string
  /** The requirements and questions that say why. */
  readonly requirements: readonly string[]
}

export type MistakeKind =
  | 'stale-index'
  | 'wrong-rule-removed'
  | 'retried-unread'
  | 'refusal-repeated'
  | 'full-list-ignored'
  | 'duplicate-rule'
  | 'self-copy'
  | 'no-json-content-type'
  | 'key-in-url'
  | 'key-in-body'
  | 'key-refused-again'

/** What is known of a request beside its entry. */
interface RequestContext {
  readonly history: RequestHistory
  readonly removal: StaleRemoval | null
  /** The rule that it has added. */
  readonly added: Rule | undefined
}

/** Says what is wrong with a request, given those before it; null if nothing is. */
type Judge = (record: RecordedRequest, known: RequestContext) => string | null

interface MistakeRule {
  readonly kind: MistakeKind
  readonly judge: Judge
  readonly remedy: string
  readonly requirements: readonly string[]
}

const pair = ({ master, follower }: { readonly master: bigint; readonly follower: bigint }) => `${master}>${follower}`
const refused = ({ entry }: RecordedRequest) => entry.status !== null && entry.status >= 400 && entry.status < 500
const unknown = ({ entry }: RecordedRequest) => entry.status === null || entry.status >= 500
const isFull = ({ entry }: RecordedRequest) => entry.because.includes('plugin.capacity.answers-500')

const mistakeRules: readonly MistakeRule[] = [
  {
    kind: 'wrong-rule-removed',
    remedy: 'Read GET /api/rules right before each DELETE, and look for the rule by its content.',
    requirements: ['plugin.delete.shifts-later', 'plugin.delete.removes-that-rule'],
    judge: (_one, { removal }) =>
      removal?.expected === undefined
        ? null
        : `the rule ${pair(removal.removed)} was removed, where the list that the client knew had ${pair(removal.expected)}`,
  },
  {
    kind: 'stale-index',
    remedy: 'Read GET /api/rules right before each DELETE: every removal shifts the indices behind it.',
    requirements: ['plugin.delete.shifts-later'],
    judge: (_one, { removal }) =>
      removal === null
        ? null
        : removal.hadList
          ? 'a rule was removed by an index from before another change'
          : 'a rule was removed by an index, and no list had been read',
  },
  {
    kind: 'retried-unread',
    remedy: 'Read GET /api/rules before sending a write again: the first one may have been carried out.',
    requirements: ['plugin.persist.added', 'plugin.persist.removed'],
    judge: (record, { history }) => {
      const before = isWrite(record) ? history.lastSame(record) : undefined
      if (before === undefined || isFull(before.last) || !unknown(before.last) || before.wasRead()) return null
      return `the same ${record.entry.method} as in entry ${before.last.entry.id}, whose outcome is not known`
    },
  },
  {
    kind: 'refusal-repeated',
    remedy: 'Mend the request before it is sent again: what was refused once will be refused again.',
    requirements: ['plugin.errors.400', 'plugin.errors.404-index', 'plugin.errors.405'],
    judge: (record, { history }) => {
      const before =
        isWrite(record) && refused(record) && record.entry.status !== 401 ? history.lastSame(record) : undefined
      if (before === undefined || before.last.entry.status !== record.entry.status || before.wasChanged()) return null
      return `the same ${record.entry.method} as in entry ${before.last.entry.id}, which was refused in the same way`
    },
  },
  {
    kind: 'full-list-ignored',
    remedy: 'Stop adding when the capacity is reached, and remove a rule first.',
    requirements: ['plugin.capacity.answers-500'],
    judge: (record, { history }) => {
      const lastWrite = history.lastWrite()
      return isFull(record) && lastWrite !== undefined && isFull(lastWrite)
        ? 'another rule was sent right after the list had been found full'
        : null
    },
  },
  {
    kind: 'duplicate-rule',
    remedy: 'Look in GET /api/rules for the pair before adding it: the follower may copy each trade twice.',
    requirements: ['plugin.add.duplicate', 'plugin.add.same-pair'],
    judge: (record, { added }) => {
      const twin = added && record.before.find((rule) => samePair(rule, added))
      return twin ? `the pair ${pair(twin)} was in the list already` : null
    },
  },
  {
    kind: 'self-copy',
    remedy: 'Check that master and follower are two accounts.',
    requirements: ['plugin.add.self-copy'],
    judge: (_one, { added }) =>
      added && added.master === added.follower ? `the account ${added.master} was to copy itself` : null,
  },
  {
    kind: 'no-json-content-type',
    remedy: 'Send Content-Type: application/json with every body; a server may refuse a body without it.',
    requirements: ['plugin.body.content-type-absent', 'plugin.body.content-type-wrong'],
    judge: ({ entry }) =>
      entry.method === 'POST' && entry.body && !entry.headers.some(isJsonType)
        ? 'a body was sent without a Content-Type of JSON'
        : null,
  },
  {
    kind: 'key-in-url',
    remedy: 'Send the key in the header X-API-Key or Authorization: what stands in a URL ends up in logs.',
    requirements: ['plugin.auth.only-the-headers'],
    judge: ({ entry }) => (entry.keyInTarget ? 'the key stood in the URL' : null),
  },
  {
    kind: 'key-in-body',
    remedy: 'Send the key in the header X-API-Key or Authorization, and nowhere else.',
    requirements: ['plugin.auth.only-the-headers'],
    judge: ({ entry }) => (entry.keyInBody ? 'the key stood in the body' : null),
  },
  {
    kind: 'key-refused-again',
    remedy: 'Stop at the first 401: a key that was refused once will be refused again.',
    requirements: ['plugin.errors.401'],
    judge: ({ entry }, { history }) =>
      entry.status === 401 && history.rejectedKeysInRow() >= 2
        ? 'a third request in a row was refused for its key'
        : null,
  },
]

/** All ids that a mistake can appeal to. */
export const mistakeIds: readonly string[] = mistakeRules.flatMap(({ requirements }) => requirements)

/**
 * Everything that can be said against the client, in the order in which it happened. Where the
 * beginning is not known, a client that may have read the list there is not blamed.
 */
export function mistakes(records: readonly RecordedRequest[], isTruncated = false): readonly Mistake[] {
  const removals = staleRemovals(records, isTruncated)
  const history = createHistory()
  return records.flatMap((record) => {
    const known = { history, removal: removals.get(record) ?? null, added: addedRule(record) }
    const found = mistakeRules.flatMap(({ kind, judge, remedy, requirements }) => {
      const what = judge(record, known)
      return what === null ? [] : [{ kind, entry: record.entry.id, what, remedy, requirements }]
    })
    history.add(record)
    return found
  })
}

function isJsonType([name, value]: readonly [string, string]): boolean {
  return name.toLowerCase() === 'content-type' && /^application\/json\b/i.test(value)
}

/** Most rules stand where they stood: only the others are looked for in the whole list. */
function addedRule(record: RecordedRequest): Rule | undefined {
  if (!isServed(record, 'add-rule')) return undefined
  const { before, after } = record
  return after.find((rule, index) => rule !== before[index] && !before.includes(rule))
}
