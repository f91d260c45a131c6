import type { JournalEntry, RecordedRequest } from './entry.ts'
import { isBearer } from './redact.ts'

/** One thing that the specification has in store for a client. */
export interface Encounter {
  readonly id: string
  /** What a client meets, in words. */
  readonly what: string
  /** The requirements that speak of it. */
  readonly requirements: readonly string[]
}

/** Whether a client has met it. */
export interface Met extends Encounter {
  /** How often. */
  readonly times: number
  /** The first entry of the journal in which it did; null for never. */
  readonly firstEntry: number | null
}

const served = (operation: string, status: number) => (entry: JournalEntry) =>
  entry.operation === operation && entry.status === status
const because = (id: string) => (entry: JournalEntry) => entry.because.includes(id)
const sentBearer = ({ headers }: JournalEntry) =>
  headers.some(([name, value]) => name.toLowerCase() === 'authorization' && isBearer(value))
const sent = (entry: JournalEntry, part: RegExp) => served('add-rule', 201)(entry) && part.test(entry.body ?? '')

const encounters: readonly (Encounter & {
  readonly isMet: (entry: JournalEntry, records: RecordedRequest) => boolean
})[] = [
  { id: 'status-read', what: 'GET /api/status', requirements: ['plugin.status.ok'], isMet: served('read-status', 200) },
  { id: 'list-read', what: 'GET /api/rules', requirements: ['plugin.list.ok'], isMet: served('list-rules', 200) },
  {
    id: 'empty-list',
    what: 'a list without rules',
    requirements: ['plugin.list.empty'],
    isMet: (entry) => served('list-rules', 200)(entry) && entry.rulesBefore === 0,
  },
  { id: 'added', what: 'a rule added, 201', requirements: ['plugin.add.created'], isMet: served('add-rule', 201) },
  {
    id: 'alias',
    what: 'the mode multiplier, which is listed as mult',
    requirements: ['plugin.add.mode-multiplier', 'plugin.list.mode-normalised'],
    isMet: (entry) => sent(entry, /"multiplier"/),
  },
  {
    id: 'fixed',
    what: 'a rule with fixed lots',
    requirements: ['plugin.add.mode-fixed'],
    isMet: (entry) => sent(entry, /"fixed"/),
  },
  {
    id: 'reverse',
    what: 'a rule with the direction reverse',
    requirements: ['plugin.add.direction-reverse'],
    isMet: (entry) => sent(entry, /"reverse"/),
  },
  {
    id: 'removed',
    what: 'a rule removed, 200',
    requirements: ['plugin.delete.ok'],
    isMet: served('remove-rule', 200),
  },
  {
    id: 'shift',
    what: 'a removal that shifted the indices of later rules',
    requirements: ['plugin.delete.shifts-later'],
    isMet: (entry, { before, after }) =>
      served('remove-rule', 200)(entry) && after.some((rule, place) => rule !== before[place]),
  },
  {
    id: 'bearer',
    what: 'the key in the header Authorization',
    requirements: ['plugin.auth.bearer'],
    isMet: (entry) => entry.status !== 401 && sentBearer(entry),
  },
  {
    id: 'bad-request',
    what: '400, a body that is refused',
    requirements: ['plugin.errors.400'],
    isMet: ({ status }) => status === 400,
  },
  {
    id: 'unauthorized',
    what: '401, a key that is missing or wrong',
    requirements: ['plugin.errors.401'],
    isMet: ({ status }) => status === 401,
  },
  {
    id: 'unknown-path',
    what: '404, an unknown path',
    requirements: ['plugin.errors.404-path'],
    isMet: because('plugin.errors.404-path'),
  },
  {
    id: 'invalid-index',
    what: '404, an index that no rule has',
    requirements: ['plugin.errors.404-index'],
    isMet: because('plugin.errors.404-index'),
  },
  {
    id: 'wrong-method',
    what: '405, a method that is not allowed',
    requirements: ['plugin.errors.405'],
    isMet: ({ status }) => status === 405,
  },
  {
    id: 'capacity',
    what: '500, a list that has reached its capacity',
    requirements: ['plugin.capacity.answers-500'],
    isMet: because('plugin.capacity.answers-500'),
  },
  {
    id: 'server-error',
    what: '500 for another reason',
    requirements: ['plugin.errors.500'],
    isMet: (entry) => entry.status === 500 && !because('plugin.capacity.answers-500')(entry),
  },
  {
    id: 'no-answer',
    what: 'a request without an answer',
    requirements: ['plugin.persist.added-survives-crash'],
    isMet: ({ status }) => status === null,
  },
]

/** What the client has met of all that it may meet. */
export function coverage(records: readonly RecordedRequest[]): readonly Met[] {
  return encounters.map(({ id, what, requirements, isMet }) => {
    const met = records.filter((record) => isMet(record.entry, record))
    return { id, what, requirements, times: met.length, firstEntry: met[0]?.entry.id ?? null }
  })
}
