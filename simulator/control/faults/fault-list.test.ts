import { expect, test } from 'vitest'
import { createSimulator, type Fault } from '../../index.ts'

import { faulty, status } from './faulty.test-data.ts'

test('the first fault that is due is played, subject to skip and times', async () => {
  const simulator = await faulty({ skip: 1, times: 2, effect: { kind: 'answer', status: 500 } })
  simulator.control.faults.add({ effect: { kind: 'answer', status: 503 }, times: 2 })
  const statuses: unknown[] = []
  for (let turn = 0; turn < 5; turn++) statuses.push(await status(simulator))
  expect(statuses).toEqual([503, 500, 500, 503, 200])
})

test('the same seed reproduces the random draws, another seed changes them', async () => {
  const draw = async (seed: number) => {
    const simulator = await faulty({ probability: 0.3, seed, effect: { kind: 'answer', status: 500 } })
    const statuses: unknown[] = []
    for (let turn = 0; turn < 40; turn++) statuses.push(await status(simulator))
    return statuses
  }
  const first = await draw(7)
  expect(await draw(7)).toEqual(first)
  expect(await draw(8)).not.toEqual(first)
  const played = first.filter((one) => one === 500).length
  expect(played).toBeGreaterThan(4)
  expect(played).toBeLessThan(24)
})

test('two faults cannot share an id', async () => {
  const { control } = await faulty({ id: 'one', effect: { kind: 'reset' } })
  expect(() => control.faults.add({ id: 'one', effect: { kind: 'reset' } })).toThrow(
    'A fault with the id one already exists.',
  )
  expect(() =>
    control.faults.replace([
      { id: 'a', effect: { kind: 'hang' } },
      { id: 'a', effect: { kind: 'hang' } },
    ]),
  ).toThrow()
  expect(control.faults.list().map(({ id }) => id)).toEqual(['one'])
  expect([control.faults.remove('one'), control.faults.remove('one')]).toEqual([true, false])
})

test.for([
  [{ effect: { kind: 'explode' } }, 'effect.kind: there is no kind "explode". Use one of: answer, delay'],
  [{ effect: { kind: 'delay' } }, 'effect.ms: Invalid input: expected number, received undefined'],
  [{ effect: { kind: 'answer', status: 99 } }, 'effect.status: Too small: expected number to be >=200'],
  [{ effect: { kind: 'answer', status: 200, headers: { 'a b': 'c' } } }, 'effect.headers.a b: Invalid key in record'],
  [{ effect: { kind: 'crash', at: 'noon' } }, 'effect.at: Invalid option: expected one of "before-write"|'],
  [{ effect: { kind: 'reset' }, probability: 2 }, 'probability: Too big: expected number to be <=1'],
  [{ effect: { kind: 'reset' }, times: 0.5 }, 'times: expected a whole number of at least 0'],
  [{ effect: { kind: 'reset' }, when: { path: '*'.repeat(1_001) } }, 'when.path: Too big'],
  [{ effect: { kind: 'reset' }, when: { pathPattern: '(' } }, 'when.pathPattern: expected a regular expression'],
] as const)('an invalid fault is rejected: %j', ([fault, message]) => {
  const { control } = createSimulator()
  expect(() => control.faults.add(fault as unknown as Fault)).toThrow(message)
  expect(control.faults.list()).toEqual([])
})

test.for([
  [{ when: { methd: 'POST' }, effect: { kind: 'hang' } }, 'when: there is no member "methd". Did you mean "method"?'],
  [{ wen: {}, effect: { kind: 'hang' } }, 'there is no member "wen". Did you mean "when"?'],
  [{ effect: { kind: 'delay', ms: 1, tmes: 2 } }, 'effect: there is no member "tmes".'],
  [{ effect: { kind: 'hnag' } }, 'effect.kind: there is no kind "hnag". Did you mean "hang"?'],
] as const)('a member that has no effect is rejected: %j', ([fault, message]) => {
  const { faults } = createSimulator().control
  expect(() => faults.add(fault as object as Fault)).toThrow(message)
})

test('a listed fault can be added again', () => {
  const { faults } = createSimulator().control
  faults.replace([faults.add({ effect: { kind: 'hang' } })])
  expect(faults.list()).toMatchObject([{ id: 'fault-1', matched: 0 }])
})
