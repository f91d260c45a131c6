import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { processorTimeMs } from '../../../test/costs/processor-time.ts'
import type { Rule } from '../../plugin/model/rule.ts'
import type { RuleList } from '../../plugin/model/rule-list.ts'
import { createClock } from '../../server/clock.ts'
import { createJournal, type NumberedRecord, type RecordedRequest } from './journal.ts'
import { followMistakes, mistakes } from './mistakes.ts'

const capacity = 1_000
const maxMs = 2_000

const ruleOf = (login: number): Rule => {
  return { master: BigInt(login), follower: BigInt(login + 10_000), mode: 'mult', value: 1, direction: 'same' }
}

/** The journal of a client that fills the list, and then removes and adds a rule `turns` times. */
function journalOf(turns: number): readonly RecordedRequest[] {
  const records: RecordedRequest[] = []
  let rules: RuleList = []
  const carryOut = (method: 'POST' | 'DELETE', after: RuleList) => {
    records.push(recordOf({ id: records.length + 1, method, before: rules, after }))
    rules = after
  }
  for (let login = 1; login <= capacity + turns; login++) {
    if (rules.length === capacity) carryOut('DELETE', rules.slice(1))
    carryOut('POST', [...rules, ruleOf(login)])
  }
  return records
}

function recordOf({
  id,
  method,
  before,
  after,
}: Pick<RecordedRequest, 'before' | 'after'> & {
  readonly id: number
  readonly method: 'POST' | 'DELETE'
}): RecordedRequest {
  const isPost = method === 'POST'
  const entry = {
    id,
    at: '2030-01-01T00:00:00.000Z',
    method,
    target: isPost ? '/api/rules' : '/api/rules/0',
    headers: [['Content-Type', 'application/json']] as const,
    body: isPost ? `${after.at(-1)?.master}` : null,
    status: isPost ? 201 : 200,
    answer: null,
    stage: 'render' as const,
    operation: isPost ? 'add-rule' : 'remove-rule',
    decision: 'served',
    because: [],
    fault: null,
    durationMs: 0,
    rulesBefore: before.length,
    rulesAfter: after.length,
    keyInTarget: false,
    keyInBody: false,
  }
  return { entry, before, after }
}

test('the mistakes in a long journal of long lists are found within two seconds of processor time', () => {
  const turns = 4_500
  const records = journalOf(turns)
  // On a busy machine the test waits for others.
  const before = processorTimeMs()
  const found = mistakes(records)
  expect(processorTimeMs() - before).toBeLessThan(maxMs)
  expect(found.map(({ kind }) => kind)).toEqual(Array.from({ length: turns }, () => 'stale-index'))
})

test('each mistake holds its request', () => {
  const [first] = mistakes(journalOf(2))
  expect(first?.request).toEqual({ method: 'DELETE', target: '/api/rules/0', body: null, status: 200 })
})

test('the lists of requests that the journal has dropped leave the memory while mistakes are followed', async () => {
  const journal = createJournal(1, createClock())
  followMistakes(journal, () => undefined)
  const lists = journalOf(10).map((record) => {
    journal.write(record as NumberedRecord)
    return new WeakRef(record.after)
  })
  // A reference lives at least until the end of the turn.
  await setImmediate()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const inMemory = lists.filter((list) => list.deref() !== undefined)
  expect(inMemory.length).toBeLessThan(5)
})
