import { sameContent } from '../../model/rule.ts'
import type { RuleList } from '../../model/rule-list.ts'
import type { Kept } from './entry.ts'

/** Something that a client did and should not have done. */
export interface Mistake {
  readonly kind: MistakeKind
  /** Id of the entry in the journal. */
  readonly entry: number
  /** What happened, in words. */
  readonly what: string
  /** What the client should do. */
  readonly remedy: string
}

export type MistakeKind =
  | 'stale-index'
  | 'wrong-rule-removed'
  | 'retried-unread'
  | 'no-json-content-type'
  | 'key-in-url'
  | 'key-refused-again'

const remedies: Readonly<Record<MistakeKind, string>> = {
  'stale-index':
    'Read GET /api/rules right before each DELETE: every removal shifts the indices behind it (clause 4.2 rule 2).',
  'wrong-rule-removed': 'Read GET /api/rules right before each DELETE, and look for the rule by its content.',
  'retried-unread': 'Read GET /api/rules before sending a write again: the first one may have been carried out.',
  'no-json-content-type': 'Send Content-Type: application/json with every body; a server may refuse a body without it.',
  'key-in-url': 'Send the key in the header X-API-Key or Authorization: what stands in a URL ends up in logs.',
  'key-refused-again': 'Stop at the first 401: a key that was refused once will be refused again.',
}

/** Everything that can be said against the client, in the order in which it happened. */
export function mistakes(kept: readonly Kept[]): readonly Mistake[] {
  return kept.flatMap((one, place) =>
    judges.flatMap(({ kind, judge }) => {
      const what = judge(one, kept.slice(0, place))
      return what === null ? [] : [{ kind, entry: one.entry.id, what, remedy: remedies[kind] }]
    }),
  )
}

/** Says what is wrong with a request, given those before it; null if nothing is. */
type Judge = (one: Kept, earlier: readonly Kept[]) => string | null

const isServed = ({ entry }: Kept, operation: string) =>
  entry.operation === operation && entry.status !== null && entry.status < 300
/** A list that was read, and a rule that was added, tell the client which indices count. */
const showsIndices = (one: Kept) => isServed(one, 'list-rules') || isServed(one, 'add-rule')

const judges: readonly { readonly kind: MistakeKind; readonly judge: Judge }[] = [
  {
    kind: 'wrong-rule-removed',
    judge: (one, earlier) => {
      const known = staleList(one, earlier)
      const removed = removedPosition(one)
      if (known === null || removed === null) return null
      const [meant, gone] = [known[removed], one.before[removed]]
      if (meant === undefined || gone === undefined || sameContent(meant, gone)) return null
      return `the rule ${gone.master}>${gone.follower} was removed, where the list that the client knew had ${meant.master}>${meant.follower}`
    },
  },
  {
    kind: 'stale-index',
    judge: (one, earlier) =>
      staleList(one, earlier) === null
        ? null
        : earlier.some(showsIndices)
          ? 'a rule was removed by an index from before another change'
          : 'a rule was removed by an index, and no list had been read',
  },
  {
    kind: 'retried-unread',
    judge: ({ entry }, earlier) => {
      if (!['POST', 'DELETE'].includes(entry.method)) return null
      const since = earlier.slice(earlier.findLastIndex((other) => isServed(other, 'list-rules')) + 1)
      const first = since.find(
        ({ entry: { method, target, body, status } }) =>
          method === entry.method &&
          target === entry.target &&
          body === entry.body &&
          (status === null || status >= 500),
      )
      return first === undefined
        ? null
        : `the same ${entry.method} as in entry ${first.entry.id}, whose outcome is not known`
    },
  },
  {
    kind: 'no-json-content-type',
    judge: ({ entry }) =>
      entry.method === 'POST' && entry.body && !entry.headers.some(isJsonType)
        ? 'a body was sent without a Content-Type of JSON'
        : null,
  },
  { kind: 'key-in-url', judge: ({ entry }) => (entry.keyInTarget ? 'the key stood in the URL' : null) },
  {
    kind: 'key-refused-again',
    judge: ({ entry }, earlier) => {
      const last = earlier.slice(-2)
      const isThird = entry.status === 401 && last.length === 2 && last.every((one) => one.entry.status === 401)
      return isThird ? 'a third request in a row was refused for its key' : null
    },
  },
]

function isJsonType([name, value]: readonly [string, string]): boolean {
  return name.toLowerCase() === 'content-type' && /^application\/json\b/i.test(value)
}

/** The list that the client knew when it removed a rule, if that was not the list as it was; null otherwise. */
function staleList(one: Kept, earlier: readonly Kept[]): RuleList | null {
  if (!isServed(one, 'remove-rule')) return null
  const known = earlier.findLast(showsIndices)
  if (known === undefined) return []
  return known.after === one.before ? null : known.after
}

/** Where in the list a rule went away. */
function removedPosition({ before, after }: Kept): number | null {
  if (after.length !== before.length - 1) return null
  const first = after.findIndex((rule, place) => rule !== before[place])
  return first === -1 ? before.length - 1 : first
}
