import { expect, test } from 'vitest'
import { timeline } from '../../suites/assertions/explained.ts'
import { historyIn } from './history-picture.tsx'

test('the timeline of a failed check is parsed, and a request without a response has no end', () => {
  const add = { kind: 'add', client: 'A', sentAt: 1, answeredAt: 3, rule: '1>2', response: { says: 'added', index: 0 } }
  const remove = { kind: 'remove', client: 'B', sentAt: 2, answeredAt: Infinity, index: 0, response: null }
  const text = timeline({ before: ['3>4'], operations: [add, remove] } as never)
  expect(historyIn(text)).toEqual({
    before: 'a',
    requests: [
      { client: 'A', start: 0, end: 6, label: 'add b: 201, index 0' },
      { client: 'B', start: 3, end: null, label: 'remove index 0: no response yet' },
    ],
    rules: [
      ['a', '3>4'],
      ['b', '1>2'],
    ],
    end: 6,
  })
})

test('other text is not parsed as a timeline', () => {
  expect([historyIn(null), historyIn(''), historyIn('list before us\nA |--| x')]).toEqual([null, null, null])
})
