import { expect, test } from 'vitest'
import { addAtEnd, changeBetween, type RuleList, removeAt } from '../model/rule-list.ts'
import { rulesLog } from './file-format.ts'

const rule = { master: 1001n, follower: 2001n, mode: 'mult', value: 1.5, direction: 'same' } as const

/** How many times the file is replaced during this many changes of a short list. */
async function replacements(changes: number): Promise<number> {
  let replaced = 0
  const write = async () => {
    replaced += 1
  }
  const log = rulesLog({ write, appender: () => async () => true })
  let rules: RuleList = []
  for (let change = 0; change < changes; change += 1) {
    const from = rules
    rules = rules.length === 0 ? addAtEnd(rules, rule).rules : removeAt(rules, 0)
    await log.save({ from, changes: [changeBetween(from, rules)], to: rules })
  }
  return replaced
}

test('the first change replaces the file, and so does one after 256 KiB of changes', async () => {
  expect(await replacements(1)).toBe(1)
  expect(await replacements(4_000)).toBe(1)
  expect(await replacements(16_000)).toBe(2)
})

test('the file is also replaced if a list is not one change from the last, and after forget', async () => {
  let replaced = 0
  const write = async () => {
    replaced += 1
  }
  const log = rulesLog({ write, appender: () => async () => true })
  const change = { position: 0, added: rule }
  await log.save({ from: [], changes: [undefined], to: [rule, rule] })
  const one = [rule]
  await log.save({ from: [], changes: [change], to: one })
  expect(replaced).toBe(2)
  log.forget()
  const two = [rule, rule]
  await log.save({ from: one, changes: [change], to: two })
  expect(replaced).toBe(3)
  await log.save({ from: two, changes: [change, undefined], to: [rule] })
  expect(replaced).toBe(4)
})
