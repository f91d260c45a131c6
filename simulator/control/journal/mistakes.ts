import { samePair } from '../../model/rule.ts'
import type { Kept } from './entry.ts'
import { isServed, listsKnown, type Removal } from './knowledge.ts'

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

/** Says what is wrong with a request, given those before it; null if nothing is. */
type Judge = (one: Kept, earlier: readonly Kept[], removal: Removal | null) => string | null

interface Kind {
  readonly kind: MistakeKind
  readonly judge: Judge
  readonly remedy: string
  readonly requirements: readonly string[]
}

const pair = ({ master, follower }: { readonly master: bigint; readonly follower: bigint }) => `${master}>${follower}`
const refused = ({ entry }: Kept) => entry.status !== null && entry.status >= 400 && entry.status < 500
const unknown = ({ entry }: Kept) => entry.status === null || entry.status >= 500
const isFull = ({ entry }: Kept) => entry.because.includes('plugin.capacity.answers-500')
const isWrite = ({ entry }: Kept) => entry.method === 'POST' || entry.method === 'DELETE'
const same = (one: Kept) => (other: Kept) =>
  other.entry.method === one.entry.method &&
  other.entry.target === one.entry.target &&
  other.entry.body === one.entry.body

/** The last request of the same words, and what came after it. */
function lastSame(
  one: Kept,
  earlier: readonly Kept[],
): { readonly last: Kept; readonly since: readonly Kept[] } | null {
  const place = earlier.findLastIndex(same(one))
  const last = earlier[place]
  return last === undefined ? null : { last, since: earlier.slice(place + 1) }
}

const kinds: readonly Kind[] = [
  {
    kind: 'wrong-rule-removed',
    remedy: 'Read GET /api/rules right before each DELETE, and look for the rule by its content.',
    requirements: ['plugin.delete.shifts-later', 'plugin.delete.removes-that-rule'],
    judge: (_one, _earlier, removal) =>
      removal?.meant === undefined
        ? null
        : `the rule ${pair(removal.gone)} was removed, where the list that the client knew had ${pair(removal.meant)}`,
  },
  {
    kind: 'stale-index',
    remedy: 'Read GET /api/rules right before each DELETE: every removal shifts the indices behind it.',
    requirements: ['plugin.delete.shifts-later'],
    judge: (_one, _earlier, removal) =>
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
    judge: (one, earlier) => {
      const before = isWrite(one) ? lastSame(one, earlier) : null
      if (before === null || isFull(before.last) || !unknown(before.last)) return null
      if (before.since.some((other) => isServed(other, 'list-rules'))) return null
      return `the same ${one.entry.method} as in entry ${before.last.entry.id}, whose outcome is not known`
    },
  },
  {
    kind: 'refusal-repeated',
    remedy: 'Mend the request before it is sent again: what was refused once will be refused again.',
    requirements: ['plugin.errors.400', 'plugin.errors.404-index', 'plugin.errors.405'],
    judge: (one, earlier) => {
      const before = isWrite(one) && refused(one) && one.entry.status !== 401 ? lastSame(one, earlier) : null
      if (before === null || before.last.entry.status !== one.entry.status) return null
      if (before.since.some(({ before, after }) => before !== after)) return null
      return `the same ${one.entry.method} as in entry ${before.last.entry.id}, which was refused in the same way`
    },
  },
  {
    kind: 'full-list-ignored',
    remedy: 'Stop adding when the capacity is reached, and remove a rule first.',
    requirements: ['plugin.capacity.answers-500'],
    judge: (one, earlier) =>
      isFull(one) && earlier.findLast(isWrite) !== undefined && isFull(earlier.findLast(isWrite) as Kept)
        ? 'another rule was sent right after the list had been found full'
        : null,
  },
  {
    kind: 'duplicate-rule',
    remedy: 'Look in GET /api/rules for the pair before adding it: the follower may copy each trade twice.',
    requirements: ['plugin.add.duplicate', 'plugin.add.same-pair'],
    judge: (one) => {
      const added = addedRule(one)
      const twin = added && one.before.find((rule) => samePair(rule, added))
      return twin ? `the pair ${pair(twin)} was in the list already` : null
    },
  },
  {
    kind: 'self-copy',
    remedy: 'Check that master and follower are two accounts.',
    requirements: ['plugin.add.self-copy'],
    judge: (one) => {
      const added = addedRule(one)
      return added && added.master === added.follower ? `the account ${added.master} was to copy itself` : null
    },
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
    judge: ({ entry }, earlier) => {
      const last = earlier.slice(-2)
      const isThird = entry.status === 401 && last.length === 2 && last.every((one) => one.entry.status === 401)
      return isThird ? 'a third request in a row was refused for its key' : null
    },
  },
]

/** All ids that a mistake can appeal to. */
export const mistakeIds: readonly string[] = kinds.flatMap(({ requirements }) => requirements)

/**
 * Everything that can be said against the client, in the order in which it happened. Where the
 * beginning is not known, a client that may have read the list there is not blamed.
 */
export function mistakes(kept: readonly Kept[], beginningIsForgotten = false): readonly Mistake[] {
  const removals = listsKnown(kept, beginningIsForgotten)
  return kept.flatMap((one, place) => {
    const earlier = kept.slice(0, place)
    return kinds.flatMap(({ kind, judge, remedy, requirements }) => {
      const what = judge(one, earlier, removals.get(one) ?? null)
      return what === null ? [] : [{ kind, entry: one.entry.id, what, remedy, requirements }]
    })
  })
}

function isJsonType([name, value]: readonly [string, string]): boolean {
  return name.toLowerCase() === 'content-type' && /^application\/json\b/i.test(value)
}

/** The rule that a request has added. */
function addedRule(one: Kept) {
  if (!isServed(one, 'add-rule')) return undefined
  return one.after.find((rule) => !one.before.includes(rule))
}
