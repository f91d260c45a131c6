import type { JournalEntry, RecordedRequest } from './entry.ts'
import { isBearer } from './redact.ts'

/** A situation of the specification that a client should be tested with. */
export interface Situation {
  readonly id: string
  /** The situation as text. */
  readonly what: string
  /** The requirements that describe it. */
  readonly requirements: readonly string[]
}

/** Whether the client has met a situation. */
export interface CoverageItem extends Situation {
  /** How often. */
  readonly times: number
  /** The first such entry of the journal; null if there is none. */
  readonly firstEntry: number | null
}

const served = (operation: string, status: number) => (entry: JournalEntry) =>
  entry.operation === operation && entry.status === status
const because = (id: string) => (entry: JournalEntry) => entry.because.includes(id)
const sentBearer = ({ headers }: JournalEntry) =>
  headers.some(([name, value]) => name.toLowerCase() === 'authorization' && isBearer(value))
const sent = (entry: JournalEntry, part: RegExp) => served('add-rule', 201)(entry) && part.test(entry.body ?? '')

const encounters: readonly (Situation & {
  readonly isMet: (entry: JournalEntry, records: RecordedRequest) => boolean
})[] = [
  { id: 'status-read', what: 'GET /api/status', requirements: ['plugin.status.ok'], isMet: served('read-status', 200) },
  { id: 'list-read', what: 'GET /api/rules', requirements: ['plugin.list.ok'], isMet: served('list-rules', 200) },
  {
    id: 'empty-list',
    what: 'an empty list',
    requirements: ['plugin.list.total'],
    isMet: (entry) => served('list-rules', 200)(entry) && entry.rulesBefore === 0,
  },
  { id: 'added', what: 'a rule added, 201', requirements: ['plugin.add.created'], isMet: served('add-rule', 201) },
  {
    id: 'alias',
    what: 'mode `multiplier`, listed as `mult`',
    requirements: ['plugin.add.documented-words', 'plugin.list.mode-normalised'],
    isMet: (entry) => sent(entry, /"multiplier"/),
  },
  {
    id: 'fixed',
    what: 'a rule with mode `fixed`',
    requirements: ['plugin.add.documented-words'],
    isMet: (entry) => sent(entry, /"fixed"/),
  },
  {
    id: 'reverse',
    what: 'a rule with direction `reverse`',
    requirements: ['plugin.add.documented-words'],
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
    what: 'a removal that shifted later indices',
    requirements: ['plugin.delete.keeps-order'],
    isMet: (entry, { before, after }) =>
      served('remove-rule', 200)(entry) && after.some((rule, index) => rule !== before[index]),
  },
  {
    id: 'bearer',
    what: 'the key in the `Authorization` header',
    requirements: ['plugin.auth.bearer'],
    isMet: (entry) => entry.status !== 401 && sentBearer(entry),
  },
  {
    id: 'bad-request',
    what: '400, rejected body',
    requirements: ['plugin.errors.every'],
    isMet: ({ status }) => status === 400,
  },
  {
    id: 'unauthorized',
    what: '401, missing or wrong key',
    requirements: ['plugin.errors.every'],
    isMet: ({ status }) => status === 401,
  },
  {
    id: 'unknown-path',
    what: '404, unknown path',
    requirements: ['plugin.path.unknown'],
    isMet: because('plugin.path.unknown'),
  },
  {
    id: 'invalid-index',
    what: '404, index out of range',
    requirements: ['plugin.delete.index-past-end'],
    isMet: because('plugin.delete.index-past-end'),
  },
  {
    id: 'wrong-method',
    what: '405, method not allowed',
    requirements: ['plugin.errors.every'],
    isMet: ({ status }) => status === 405,
  },
  {
    id: 'capacity',
    what: '500, capacity reached',
    requirements: ['plugin.capacity.answers-500'],
    isMet: because('plugin.capacity.answers-500'),
  },
  {
    id: 'server-error',
    what: '500, other error',
    requirements: ['plugin.errors.every'],
    isMet: (entry) => entry.status === 500 && !because('plugin.capacity.answers-500')(entry),
  },
  {
    id: 'no-answer',
    what: 'no response',
    requirements: ['plugin.persist.survives-crash'],
    isMet: ({ status }) => status === null,
  },
]

/** Which of all situations the client has met. */
export function coverage(records: readonly RecordedRequest[]): readonly CoverageItem[] {
  return encounters.map(({ id, what, requirements, isMet }) => {
    const met = records.filter((record) => isMet(record.entry, record))
    return { id, what, requirements, times: met.length, firstEntry: met[0]?.entry.id ?? null }
  })
}
