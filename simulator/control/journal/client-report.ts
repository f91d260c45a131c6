import { arrayOf } from '../../plugin/model/rule-list.ts'
import { answered, served } from './decision.ts'
import type { JournalEntry, RecordedRequest } from './journal.ts'
import { type Mistake, mistakes } from './mistakes.ts'
import { isBearer } from './redact.ts'

/** What a journal shows about the client. */
export interface ClientReport {
  /** How many requests it is based on. */
  readonly requests: number
  /** How many earlier requests are no longer in the journal. */
  readonly forgotten: number
  /** Mistakes of the client that can cause damage. */
  readonly mistakes: readonly Mistake[]
  /** The situations of the specification, and whether the client has met them. */
  readonly coverage: readonly CoverageItem[]
}

/** A situation of the specification that a client should be tested with, and whether it has met it. */
export interface CoverageItem {
  readonly id: string
  /** The situation as text. */
  readonly what: string
  /** The requirements that describe it. */
  readonly requirements: readonly string[]
  /** How many times the client has met it. */
  readonly times: number
  /** Id of the first journal entry that met it; null if there is none. */
  readonly firstEntry: number | null
}

const because = (id: string) => (entry: JournalEntry) => entry.because.includes(id)
const acceptedBearer = ({ status, headers }: JournalEntry) =>
  status !== 401 && headers.some(([name, value]) => name.toLowerCase() === 'authorization' && isBearer(value))
const sent = (part: RegExp) => (entry: JournalEntry) => served('add-rule', 201)(entry) && part.test(entry.body ?? '')
const listedNone = (entry: JournalEntry) => served('list-rules', 200)(entry) && entry.rulesBefore === 0
const otherError = (entry: JournalEntry) => entry.status === 500 && !because('plugin.capacity.answers-500')(entry)

/** The situation as text, a test for the requests that meet it, and the requirements that describe it. */
type SituationRow = readonly [
  what: string,
  isMet: (entry: JournalEntry, record: RecordedRequest) => boolean,
  ...requirements: readonly string[],
]

const situations: Readonly<Record<string, SituationRow>> = {
  'status-read': ['GET /api/status', served('read-status', 200), 'plugin.status.ok'],
  'list-read': ['GET /api/rules', served('list-rules', 200), 'plugin.list.ok'],
  'empty-list': ['an empty list', listedNone, 'plugin.list.total'],
  'added': ['a rule added, 201', served('add-rule', 201), 'plugin.add.created'],
  'alias': [
    'mode `multiplier`, listed as `mult`',
    sent(/"multiplier"/),
    'plugin.add.documented-words',
    'plugin.list.mode-normalised',
  ],
  'fixed': ['a rule with mode `fixed`', sent(/"fixed"/), 'plugin.add.documented-words'],
  'reverse': ['a rule with direction `reverse`', sent(/"reverse"/), 'plugin.add.documented-words'],
  'removed': ['a rule removed, 200', served('remove-rule', 200), 'plugin.delete.ok'],
  'shift': [
    'a removal that shifted later indices',
    (entry, { before, after }) =>
      served('remove-rule', 200)(entry) && after.some((rule, index) => rule !== arrayOf(before)[index]),
    'plugin.delete.keeps-order',
  ],
  'bearer': ['the key in the `Authorization` header', acceptedBearer, 'plugin.auth.bearer'],
  'bad-request': ['400, rejected body', answered(400), 'plugin.errors.every'],
  'unauthorized': [
    '401, missing or wrong key',
    answered(401),
    'plugin.auth.reads-need-key',
    'plugin.auth.changes-need-key',
  ],
  'unknown-path': ['404, unknown path', because('plugin.path.unknown'), 'plugin.path.unknown'],
  'invalid-index': ['404, index out of range', because('plugin.delete.index-past-end'), 'plugin.delete.index-past-end'],
  'wrong-method': ['405, method not allowed', answered(405), 'plugin.method.not-allowed'],
  'capacity': ['500, capacity reached', because('plugin.capacity.answers-500'), 'plugin.capacity.answers-500'],
  'server-error': ['500, other error', otherError, 'plugin.errors.every'],
  'no-answer': ['no response', answered(null), 'plugin.persist.survives-crash'],
}

export function reportOnClient(records: readonly RecordedRequest[], forgotten: number): ClientReport {
  const coverage = Object.entries(situations).map(([id, [what, isMet, ...requirements]]) => {
    const met = records.filter((record) => isMet(record.entry, record))
    return { id, what, requirements, times: met.length, firstEntry: met[0]?.entry.id ?? null }
  })
  return { requests: records.length, forgotten, mistakes: mistakes(records, forgotten > 0), coverage }
}
