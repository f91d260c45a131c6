import { expect, test } from 'vitest'
import { inOrder } from './run-plan.ts'

test('values are emitted in order, and at the end also those after a gap', () => {
  const handed: string[] = []
  const order = inOrder<string>((value) => handed.push(value))
  order.add(2, () => 'third')
  expect(handed).toEqual([])
  order.add(0, () => 'first')
  expect(handed).toEqual(['first'])
  order.add(1, () => 'second')
  expect(handed).toEqual(['first', 'second', 'third'])
  order.add(5, () => 'sixth')
  order.add(4, () => 'fifth')
  order.end()
  expect(handed).toEqual(['first', 'second', 'third', 'fifth', 'sixth'])
})
