import { expect, test } from 'vitest'
import type { Exchange } from '../client/exchange.ts'
import type { Check, Observation } from '../session/check.ts'
import { decisiveEvidence } from './evidence.ts'
import { type Outcome, passed, type Status } from './outcome.ts'

const common = { id: 'CT-1', title: 't', risk: 'write' } as const
const check: Check = { ...common, requirement: 'r', run: async () => undefined }
const observation: Observation = { ...common, question: 'q', run: async () => ({ answer: 'usual', seen: '' }) }
const expected = { q: 'usual' }

function exchange(id: string, method: string, body: string | null = null): Exchange {
  const request = { method, url: 'http://a/api/rules', headers: [], body }
  return { id, startedAt: '', durationMs: 1, request, response: { status: 200, headers: [], body }, failure: null }
}

const sent = [exchange('x1', 'POST'), exchange('x2', 'DELETE'), exchange('x3', 'GET'), exchange('x4', 'GET')]
const ended = (status: Status, changes: Partial<Outcome> = {}): Outcome => ({
  ...{ ...passed, check: 'CT-1', curl: null, durationMs: 1, exchanges: sent, exchangesOmitted: 2, status },
  ...changes,
})
const idsOf = ({ exchanges }: Outcome) => exchanges.map(({ id }) => id)

test('for a passed check the last change and the last exchange are kept, and the others counted', () => {
  const outcome = decisiveEvidence(ended('passed'), check, expected)
  expect(idsOf(outcome)).toEqual(['x2', 'x4'])
  expect(outcome.exchangesOmitted).toBe(4)
  expect(idsOf(decisiveEvidence(ended('passed', { exchanges: sent.slice(0, 2) }), check, expected))).toEqual(['x2'])
  expect(idsOf(decisiveEvidence(ended('passed', { exchanges: [] }), check, expected))).toEqual([])
})

test.for(['failed', 'blocked', 'error'] as const)('an outcome that is %s keeps all of its evidence', (status) => {
  expect(decisiveEvidence(ended(status), check, expected)).toEqual(ended(status))
})

test('an observation keeps its evidence if the answer is not the expected one', () => {
  expect(idsOf(decisiveEvidence(ended('passed', { answer: 'odd' }), observation, expected))).toHaveLength(4)
  expect(idsOf(decisiveEvidence(ended('passed', { answer: null }), observation, expected))).toHaveLength(4)
  const usual = decisiveEvidence(ended('passed', { answer: 'usual' }), observation, expected)
  expect(usual).toMatchObject({ exchanges: [], exchangesOmitted: 6 })
})

test('a long body of a passed check is truncated and says its original length, even if it was truncated before', () => {
  const long = [
    exchange('x1', 'POST', 'a'.repeat(1_000)),
    exchange('x2', 'GET', `${'b'.repeat(400)}… (600 more characters)`),
  ]
  const [post, get] = decisiveEvidence(ended('passed', { exchanges: long }), check, expected).exchanges
  expect(post?.request.body).toBe(`${'a'.repeat(300)}… (700 more characters)`)
  expect(get?.response?.body).toBe(`${'b'.repeat(300)}… (700 more characters)`)
})

test('without expected answers everything is kept', () => {
  expect(decisiveEvidence(ended('passed'), check, null)).toEqual(ended('passed'))
})
