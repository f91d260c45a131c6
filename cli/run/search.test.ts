import { describe, expect, test } from 'vitest'
import type { Failure } from '../selftest/task.ts'
import type { FaultMatrix } from './known-faults.ts'
import { type Found, searchFaults } from './search.ts'

/**
 * How simulators fail: by check, the defects with the texts of their failures. The first defect that a simulator has
 * decides; `a+b` stands for both.
 */
type World = Readonly<Record<string, readonly (readonly [defect: string, way: string])[]>>

const checks = Array.from({ length: 12 }, (_, at) => `C${at + 1}`)

function wayIn(world: World, defects: readonly string[], check: string): Failure | null {
  const [, text] =
    (world[check] ?? []).find(([defect]) => defect.split('+').every((one) => defects.includes(one))) ?? []
  return text === undefined ? null : { text, change: text, recorded: text }
}

/**
 * The result of the search for a server with these failures, if simulators behave as in `world`, and as in `inTheRun`
 * where the order of the run is kept. `unjudged` names the checks that cannot be judged with a defect.
 */
async function searched(
  failures: Readonly<Record<string, string>>,
  world: World,
  {
    trials = 1_000,
    inTheRun = world,
    known = recordedOf(world),
    timed = [] as readonly string[],
    change = '',
    unjudged = {} as World,
  } = {},
) {
  let left = trials
  const failed = Object.entries(failures).map(
    ([check, text]) => [check, { text, change: change || text, recorded: text }] as const,
  )
  const ended = {
    failed: new Map(failed),
    passed: new Set(checks.filter((check) => !(check in failures))),
    timed: new Set(timed),
    known,
    costOf: () => 1,
    isLate: () => false,
    reenact(defects: readonly string[], asked: readonly string[], inOrder?: boolean) {
      left -= 1
      const like = inOrder ? inTheRun : world
      const result = (check: string) => (wayIn(unjudged, defects, check) ? undefined : wayIn(like, defects, check))
      return Promise.resolve(left < 0 ? null : new Map(asked.map((check) => [check, result(check)])))
    },
  }
  const found = await searchFaults(ended)
  const confirmed = found?.faults.flatMap(({ defect, isConfirmed }) => (isConfirmed ? defect : []))
  return found && { ...found, faults: byDefect(found), confirmed }
}

const byDefect = ({ faults }: Found) => Object.fromEntries(faults.map(({ defect, explains }) => [defect, explains]))

/** The recorded failures of each single defect. */
function recordedOf(world: World): FaultMatrix {
  const defects = new Set(Object.values(world).flatMap((rows) => rows.map(([defect]) => defect)))
  const failuresOf = (defect: string) =>
    checks.flatMap((check) => {
      const way = wayIn(world, [defect], check)
      return way === null ? [] : [`${check}:${way.text}`]
    })
  return Object.fromEntries(Array.from(defects, (defect) => [defect, failuresOf(defect)]))
}

const index: World[string][number] = ['index', 'index.wrong']
const total: World[string][number] = ['total', 'total.wrong']
const world: World = {
  C1: [index],
  C2: [index],
  C3: [index, total],
  C4: [total],
  C5: [['other', 'index.wrong'], index],
}

describe('the search names', () => {
  test('each of several faults with the failures that come only with it', async () => {
    const failures = { C1: 'index.wrong', C2: 'index.wrong', C3: 'index.wrong', C5: 'index.wrong', C4: 'total.wrong' }
    expect(await searched(failures, world)).toMatchObject({
      faults: { index: ['C1', 'C2', 'C3', 'C5'], total: ['C4'] },
      explained: ['C1', 'C2', 'C3', 'C5', 'C4'],
      besides: [],
      // A single failure may have a cause outside the catalogue.
      confirmed: ['index'],
    })
  })

  test('no fault that fails a check which passed', async () => {
    expect(await searched({ C4: 'total.wrong' }, world)).toMatchObject({ faults: {}, explained: [] })
  })

  test('a fault that fails a check which passed only where it explains several times as many failures', async () => {
    const many: World = { C1: [index], C2: [index], C3: [index], C4: [index], C5: [index] }
    const failures = { C1: 'index.wrong', C2: 'index.wrong', C3: 'index.wrong' }
    expect(await searched(failures, many)).toMatchObject({ faults: {}, explained: [] })
    expect(await searched({ ...failures, C4: 'index.wrong' }, many)).toMatchObject({
      faults: { index: ['C1', 'C2', 'C3', 'C4'] },
      besides: ['C5'],
      confirmed: [],
    })
  })

  test('a fault as confirmed only if two of its failures do not depend on the timing', async () => {
    const failures = { C1: 'index.wrong', C2: 'index.wrong', C3: 'index.wrong', C5: 'index.wrong' }
    const like: World = { C1: [index], C2: [index], C3: [index], C5: [index] }
    expect(await searched(failures, like, { timed: ['C1', 'C2'] })).toMatchObject({ confirmed: ['index'] })
    expect(await searched(failures, like, { timed: ['C1', 'C2', 'C3'] })).toMatchObject({ confirmed: [] })
  })

  test('a fault as possible if a check that the run judged cannot be judged with it', async () => {
    const failures = { C1: 'index.wrong', C2: 'index.wrong', C3: 'index.wrong', C5: 'index.wrong' }
    const like: World = { C1: [index], C2: [index], C3: [index], C5: [index] }
    for (const check of ['C5', 'C6']) {
      const found = await searched(failures, like, { unjudged: { [check]: [index] } })
      expect(found?.faults).toHaveProperty('index')
      expect(found?.confirmed).toEqual([])
    }
  })

  test('a fault as possible if a failure of the same kind remains unexplained', async () => {
    const way = 'request.accepted | GET /api/status 200 object'
    const query: World = { C1: [['query', way]], C2: [['query', way]] }
    const found = await searched({ C1: way, C2: way, C3: way }, query)
    expect(found?.faults).toEqual({ query: ['C1', 'C2'] })
    expect(found?.confirmed).toEqual([])
    const late = await searched({ C1: way, C2: way, C3: way }, query, { timed: ['C3'] })
    expect(late?.confirmed).toEqual(['query'])
    const other = await searched({ C1: way, C2: way, C3: 'list.wrong | GET /api/rules 200 object' }, query)
    expect(other?.confirmed).toEqual(['query'])
  })

  test('no fault with another failure, and leaves the failure unexplained', async () => {
    const found = await searched({ C1: 'index.wrong', C2: 'index.wrong', C3: 'list.wrong', C5: 'list.wrong' }, world)
    expect(found).toMatchObject({ faults: {}, explained: [] })
  })

  test('no fault for a single failure if another failure of the same kind does not come from it', async () => {
    const parts: World = {
      C6: [['key', 'request.accepted | GET /api/status 200 object']],
      C7: [['header', 'request.accepted | a GET | GET /api/rules 200 object']],
    }
    const failures = { C6: parts.C6?.[0]?.[1] ?? '', C7: parts.C7?.[0]?.[1] ?? '' }
    expect((await searched(failures, parts))?.faults).toEqual({})
    expect((await searched({ C6: failures.C6 }, parts))?.faults).toEqual({ key: ['C6'] })
  })

  test('no fault that leaves five times as many failures of its kind unexplained', async () => {
    const way = 'status.wrong | GET /api/status 200 object'
    const key: World = { C1: [['key', way]], C2: [['key', way]] }
    const failing = (count: number) => Object.fromEntries(checks.slice(0, count).map((check) => [check, way]))
    expect((await searched(failing(12), key))?.faults).toEqual({})
    expect((await searched(failing(11), key))?.faults).toEqual({ key: ['C1', 'C2'] })
  })

  test('no fault for a single failure that depends on the timing, unless nothing else failed', async () => {
    const race: World = { ...world, C6: [['race', 'rule.lost']] }
    const failures = { C3: 'total.wrong', C4: 'total.wrong', C6: 'rule.lost' }
    expect((await searched(failures, race, { timed: ['C6'] }))?.faults).toEqual({ total: ['C3', 'C4'] })
    expect((await searched({ C6: 'rule.lost' }, race, { timed: ['C6'] }))?.faults).toEqual({ race: ['C6'] })
  })

  test('no fault whose failures change something else', async () => {
    const failures = { C3: 'total.wrong', C4: 'total.wrong' }
    expect((await searched(failures, world, { change: 'another value' }))?.faults).toEqual({})
  })

  test('a fault that contradicts a passed check only where the checks are not in the order of the run', async () => {
    const failures = { C3: 'total.wrong', C4: 'total.wrong' }
    const apart: World = { ...world, C6: [['total', 'total.elsewhere']] }
    const known = recordedOf(world)
    expect((await searched(failures, apart, { known }))?.faults).toEqual({})
    expect((await searched(failures, apart, { known, inTheRun: world }))?.faults).toEqual({ total: ['C3', 'C4'] })
  })

  test('no fault that explains nothing in addition to another one', async () => {
    const part: World = { ...world, C6: [['all', 'all.wrong']], C1: [index, ['all', 'index.wrong']] }
    const failures = { C1: 'index.wrong', C6: 'all.wrong' }
    expect((await searched(failures, part))?.faults).toEqual({ all: ['C1', 'C6'] })
  })

  test('no two possible faults of which the same failures need both', async () => {
    const others = ['C8', 'C9', 'C10', 'C11', 'C12']
    const world: World = {
      C6: [
        ['one+two+total', 'lost.first'],
        ['total', 'lost.both'],
        ['one', 'lost.first'],
        ['two', 'lost'],
      ],
      C7: [
        ['one+two+total', 'lost.second'],
        ['total', 'lost.both'],
        ['two', 'lost.second'],
        ['one', 'lost'],
      ],
      ...Object.fromEntries(others.map((check) => [check, [total]])),
    }
    const lost = ['C6:lost.first', 'C7:lost.second']
    const known = { one: lost, two: lost, total: others.map((check) => `${check}:total.wrong`) }
    const failures = {
      ...{ C6: 'lost.first', C7: 'lost.second' },
      ...Object.fromEntries(others.map((check) => [check, 'total.wrong'])),
    }
    const possible = await searched(failures, world, { known, timed: ['C6', 'C7'] })
    expect(possible?.faults).toEqual({ total: others })
    const confirmed = await searched(failures, world, { known })
    expect(confirmed?.confirmed?.toSorted()).toEqual(['one', 'total', 'two'])
  })

  test('the other faults that do the same', async () => {
    const twins: World = {
      C6: [
        ['one', 'same'],
        ['two', 'same'],
      ],
      C7: [
        ['one', 'same'],
        ['two', 'same'],
      ],
    }
    const found = await searchFaults({
      failed: new Map(['C6', 'C7'].map((check) => [check, { text: 'same', change: '', recorded: 'same' }])),
      passed: new Set(['C1']),
      timed: new Set(),
      known: recordedOf(twins),
      costOf: () => 1,
      isLate: () => false,
      reenact: (defects, asked) =>
        Promise.resolve(
          new Map(
            asked.map((check) => [check, wayIn(twins, defects, check) && { text: 'same', change: '', recorded: '' }]),
          ),
        ),
    })
    expect(found?.faults).toMatchObject([{ defect: 'one', alternatives: ['two'] }])
  })

  test('nothing if the time runs out before the confirmation', async () => {
    expect(await searched({ C4: 'total.wrong', C3: 'total.wrong' }, world, { trials: 3 })).toBeNull()
  })
})
