import { expect, test } from 'vitest'
import { memoryFile } from '../../storage/memory-file.ts'
import { addAtEnd, changeBetween, type RuleList, removeAt } from '../model/rule-list.ts'
import { encodeRules, rulesLog } from './file-format.ts'

const rule = { master: 1001n, follower: 2001n, mode: 'mult', value: 1.5, direction: 'same' } as const

/** How many times the file is replaced during this many changes of a short list. */
async function replacements(changes: number): Promise<number> {
  let replaced = 0
  const write = async () => {
    replaced += 1
  }
  const save = rulesLog({ write, appender: () => async () => true })
  let rules: RuleList = []
  for (let change = 0; change < changes; change += 1) {
    const from = rules
    rules = rules.length === 0 ? addAtEnd(rules, rule).rules : removeAt(rules, 0)
    await save({ from, changes: [changeBetween(from, rules)], to: rules })
  }
  return replaced
}

test('the first change replaces the file, and so does one after 256 KiB of changes', async () => {
  expect(await replacements(1)).toBe(1)
  expect(await replacements(4_000)).toBe(1)
  expect(await replacements(16_000)).toBe(2)
})

test('the file is also replaced if a list is not one change from the last, and after another write', async () => {
  const file = memoryFile()
  let replaced = 0
  const write = (bytes: Uint8Array) => {
    replaced += 1
    return file.write(bytes)
  }
  const save = rulesLog({ ...file, write })
  const change = { position: 0, added: rule }
  await save({ from: [], changes: [undefined], to: [rule, rule] })
  const one = [rule]
  await save({ from: [], changes: [change], to: one })
  expect(replaced).toBe(2)
  await file.write(encodeRules([rule]))
  const two = [rule, rule]
  await save({ from: one, changes: [change], to: two })
  expect(replaced).toBe(3)
  await save({ from: two, changes: [change, undefined], to: [rule] })
  expect(replaced).toBe(4)
})
