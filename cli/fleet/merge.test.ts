import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Fleet, fleetSchema, type Shard } from '../fleet-document.ts'
import { kit } from '../kit.ts'
import { parseShard } from '../options/parsers.ts'
import { partOf } from './installs.ts'
import { mergedFleet } from './merge.ts'
import { worstOf } from './roll-up.ts'

function fleetOf(names: readonly string[], shard: Shard | null, exitCode = 0): Fleet {
  const requirement = { id: 'plugin.status.ok', clause: '4.1', level: 'required' } as const
  const failure = { check: 'CT-201', requirement: requirement.id, level: 'required', code: null } as const
  return {
    schema: 'copytrade-tck/fleet@1',
    kit,
    startedAt: '2026-03-04T09:15:00.000Z',
    durationMs: 1000,
    exitCode,
    shard,
    missingShards: [],
    requirements: [requirement],
    installs: names.map((name) => ({
      ...{ name, target: 'http://127.0.0.1:1', risk: 'read', exitCode, verdict: 'non-conformant' },
      ...{ explanation: 'It failed.', startedAt: '2026-03-04T09:15:00.000Z', durationMs: 1, folder: name },
      plugin: null,
      statuses: { [requirement.id]: 'failed' },
      failures: [{ ...failure, message: 'wrong', known: false }],
    })),
  }
}

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

test.each([
  { what: 'a part', parts: [part(1, ['a']), part(1, ['b'])], says: 'The part 1/2 is in' },
  { what: 'an install', parts: [part(1, ['a']), part(2, ['a'])], says: 'The install a is in' },
  {
    what: 'a differently divided fleet',
    parts: [part(1, ['a']), { path: 'x', fleet: fleetOf(['b'], { index: 2, count: 3 }) }],
    says: 'divided by 2 and 3',
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

test('fleet.schema.json describes fleet.json; `-u` writes it again', async () => {
  const schema = z.toJSONSchema(fleetSchema, { io: 'input' })
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('./fleet.schema.json')
  const ajv = new Ajv2020({ strict: true })
  formats.default(ajv)
  const validate = ajv.compile(schema)
  expect(validate(JSON.parse(JSON.stringify(fleetOf(['a'], null)))), JSON.stringify(validate.errors)).toBe(true)
  expect(validate({ ...fleetOf([], null), schema: 'copytrade-tck/fleet@2' })).toBe(false)
})
