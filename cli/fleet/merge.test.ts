import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fleetSchema } from '../fleet-document.ts'
import { parseShard } from '../options/parsers.ts'
import { partOf } from './installs.ts'
import { mergedFleet } from './merge.ts'
import { worstOf } from './roll-up.ts'
import { fleetOf } from './sample-fleet.test-data.ts'

const part = (index: number, names: readonly string[], exitCode = 0) => ({
  path: `out/${index}/fleet.json`,
  fleet: fleetOf(names, { index, count: 2 }, exitCode),
})

test('a merge has every install sorted by name, the paths of their reports, and the worst exit code', () => {
  const fleet = mergedFleet([part(2, ['a10', 'a2'], 4), part(1, ['a1'], 1)], 'all')
  expect(fleet.installs.map(({ name, folder }) => `${name} ${folder}`)).toEqual([
    ...['a1 ../out/1/a1', 'a2 ../out/2/a2', 'a10 ../out/2/a10'],
  ])
  expect(fleet).toMatchObject({ exitCode: 4, shard: null, missingShards: [], requirements: [{ clause: '4.1' }] })
})

test('a missing part makes a merge incomplete', () => {
  const { exitCode, missingShards } = mergedFleet([part(2, ['a'])], 'all')
  expect({ exitCode, missingShards }).toEqual({ exitCode: 3, missingShards: [{ index: 1, count: 2 }] })
})

test('a merge of merges lacks the parts that none of them has', () => {
  const third = (index: number) => ({ path: `${index}`, fleet: fleetOf([`${index}`], { index, count: 3 }) })
  const merged = (...parts: Parameters<typeof mergedFleet>[0]) => ({ path: 'm', fleet: mergedFleet(parts, 'all') })
  const missing = (...parts: Parameters<typeof mergedFleet>[0]) => {
    const { exitCode, missingShards } = mergedFleet(parts, 'all')
    return [exitCode, ...missingShards.map(({ index }) => index)]
  }
  expect(missing(merged(third(1)))).toEqual([3, 2, 3])
  expect(missing(merged(third(1)), third(3))).toEqual([3, 2])
  expect(missing(merged(third(1)), merged(third(2), third(3)))).toEqual([0])
  expect(missing(merged(merged(third(1)), third(2)), third(3))).toEqual([0])
  expect(() => missing(merged(third(1)), part(2, ['a']))).toThrow('different numbers of parts')
})

test('a missing part keeps the hash of its targets', () => {
  const parts = [{ path: 'a', fleet: fleetOf(['a'], { index: 2, count: 2, targets: 'hash' }) }]
  expect(mergedFleet(parts, 'all').missingShards).toEqual([{ index: 1, count: 2, targets: 'hash' }])
})

test.each([
  { what: 'a part', parts: [part(1, ['a']), part(1, ['b'])], says: 'The part 1/2 is in' },
  { what: 'an install', parts: [part(1, ['a']), part(2, ['a'])], says: 'The install a is in' },
  {
    what: 'a differently divided fleet',
    parts: [part(1, ['a']), { path: 'x', fleet: fleetOf(['b'], { index: 2, count: 3 }) }],
    says: 'different numbers of parts',
  },
  {
    what: 'a part of another fleet',
    parts: ['one', 'other'].map((targets, place) => {
      const shard = { index: place + 1, count: 2, targets }
      return { path: targets, fleet: fleetOf([targets], shard) }
    }),
    says: 'different targets',
  },
])('$what given twice is rejected', ({ parts, says }) => {
  expect(() => mergedFleet(parts, 'all')).toThrow(says)
})

test('the parts of a fleet are disjoint, complete, equal in size, and independent of the order', () => {
  const items = ['d', 'b', 'a', 'e', 'c'].map((name) => ({ name }))
  const parts = [1, 2].map((index) => partOf(items, { index, count: 2 }).map(({ name }) => name))
  expect(parts.map((names) => names.toSorted())).toEqual([
    ['a', 'c', 'e'],
    ['b', 'd'],
  ])
  expect(partOf(items.toReversed(), { index: 2, count: 2 })).toHaveLength(2)
  expect(partOf(items, null)).toBe(items)
  expect(parseShard('2/5')).toEqual({ index: 2, count: 5 })
  for (const text of ['0/2', '3/2', '1', '1/0']) expect(() => parseShard(text)).toThrow('like `2/5`')
})

test('exit code 5 is the worst, and 1 is worse than 3', () => {
  expect([worstOf([0, 3, 1]), worstOf([1, 4]), worstOf([70, 5, 4]), worstOf([])]).toEqual([1, 4, 5, 0])
})

test('an exit code that `run` does not have counts as an error of the kit', () => {
  expect([worstOf([130]), worstOf([4, 137, 1]), worstOf([130, 5])]).toEqual([70, 70, 5])
})

test('fleet.schema.json describes fleet.json; `-u` writes it again', async () => {
  const schema = z.toJSONSchema(fleetSchema, { io: 'input' })
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('./fleet.schema.json')
  const ajv = new Ajv2020({ strict: true })
  formats.default(ajv)
  const validate = ajv.compile(schema)
  expect(validate(JSON.parse(JSON.stringify(fleetOf(['a'], null)))), JSON.stringify(validate.errors)).toBe(true)
  expect(validate({ ...fleetOf([], null), schema: 'copytrade-tck/fleet@2' })).toBe(false)
})
