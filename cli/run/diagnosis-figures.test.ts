import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isProof } from '../../fixtures/extent.ts'
import ofC from '../../fixtures/servers/wrong-c/diagnosed.json' with { type: 'json' }
import ofGo from '../../fixtures/servers/wrong-go/diagnosed.json' with { type: 'json' }
import ofJava from '../../fixtures/servers/wrong-java/diagnosed.json' with { type: 'json' }
import ofPython from '../../fixtures/servers/wrong-python/diagnosed.json' with { type: 'json' }
import { platformDefects } from '../../simulator/platform/defects/index.ts'
import { pluginDefects } from '../../simulator/plugin/defects/index.ts'
import { states } from '../../simulator/plugin/defects/states.ts'
import type { FailureCode } from '../../suites/assertions/failure-texts.ts'
import { type Candidate, diagnose } from './diagnose.ts'
import { checkOf, knownFaultsOf } from './diagnosis.ts'

/** How often the diagnosis is right: `docs/verdicts.md` publishes these figures. `TCK_PROOF=1` takes all cases. */

const matrix = knownFaultsOf(['plugin', 'platform'])
const faults = Object.keys(matrix).filter((id) => matrix[id]?.length !== 0)
const digest = (id: string) => createHash('sha256').update(id).digest('hex')
/** In a random order that a new defect does not change for the others. */
const mixed = faults.toSorted((one, other) => (digest(one) < digest(other) ? -1 : 1))
const drawn = mixed.slice(0, isProof ? faults.length : 100)
const checks = [...new Set(Object.values(matrix).flat().map(checkOf))]
const breaks = new Map<string, readonly string[]>(
  [...pluginDefects, ...platformDefects].map((defect) => [defect.id, defect.breaks]),
)

/** The diagnosis of a run in which these failures are found, and every other check passes. */
function diagnosisOf(failures: readonly string[], known = matrix): readonly Candidate[] {
  const failed = new Map(failures.map((failure) => [checkOf(failure), failure.split(':')]))
  const results = checks.map((check) => {
    const [, code, ...circumstances] = failed.get(check) ?? []
    if (code === undefined) return { check, status: 'passed' as const, code: null, circumstances: '' }
    return { check, status: 'failed' as const, code: code as FailureCode, circumstances: circumstances.join(':') }
  })
  return diagnose(results, known)
}

/** The shares of cases in which the first and one of the three candidates is right. */
function shares<Case>(cases: readonly Case[], found: (one: Case) => readonly boolean[]) {
  const answers = cases.map(found)
  const share = (count: number) => Math.round((100 * count) / cases.length)
  const first = share(answers.filter(([best]) => best).length)
  const three = share(answers.filter((all) => all.includes(true)).length)
  return { cases: cases.length, first, three }
}

function publish(what: string, figures: object) {
  console.info(`${what}: ${JSON.stringify(figures)}`)
}

const ofState = new RegExp(`\\.(${Object.keys(states).join('|')})$`)
/** The same fault in another state of the list, or one that breaks the same requirement. */
const areRelated = (one: string, other: string) =>
  one.replace(ofState, '') === other.replace(ofState, '') ||
  (breaks.get(one)?.some((requirement) => breaks.get(other)?.includes(requirement)) ?? false)
const failAlike = (one: string, other: string) => matrix[one]?.join() === matrix[other]?.join()

describe('the diagnosis', { timeout: 300_000 }, () => {
  test('of a known fault names it, or one with the same failures, first', () => {
    const figures = shares(drawn, (id) =>
      diagnosisOf(matrix[id] ?? []).map(({ defects }) => defects.some((found) => failAlike(found, id))),
    )
    publish('known', figures)
    expect(figures.first).toBeGreaterThanOrEqual(98)
  })

  test('of a fault that is not known names one that breaks the same requirement, or the same one in another state', () => {
    const withRelatives = drawn.filter((id) => faults.some((other) => other !== id && areRelated(id, other)))
    const figures = shares(withRelatives, (id) => {
      const { [id]: _, ...others } = matrix
      return diagnosisOf(matrix[id] ?? [], others).map(({ defects }) => defects.some((found) => areRelated(id, found)))
    })
    publish('left out', figures)
    expect(figures.first).toBeGreaterThanOrEqual(80)
  })

  test('of two known faults names both', () => {
    const some = drawn.slice(0, drawn.length === faults.length ? 80 : 15)
    const pairs = some.flatMap((one, place) => some.slice(place + 1).map((other) => [one, other] as const))
    const figures = shares(pairs, ([one, other]) =>
      diagnosisOf([...(matrix[one] ?? []), ...(matrix[other] ?? [])]).map(({ defects }) =>
        [one, other].every((id) => defects.some((found) => failAlike(found, id))),
      ),
    )
    publish('pairs', figures)
    expect(figures.first).toBeGreaterThanOrEqual(80)
  })

  test('of servers that share no code with the simulator names the fault that an engineer would', () => {
    const measured = [ofPython, ofGo, ofJava].flatMap((faults) =>
      Object.values<{ same: string[]; failures: string[] }>(faults),
    )
    const figures = shares(measured, ({ same, failures }) =>
      diagnosisOf(failures).map(({ defects }) => defects.some((found) => same.includes(found))),
    )
    publish('wrong servers', figures)
    expect(figures.first).toBeGreaterThanOrEqual(80)
    expect(figures.three).toBeGreaterThanOrEqual(95)
  })

  test('of a server in C, for which no defect was added, names that fault', () => {
    const figures = shares(Object.values<{ same: string[]; failures: string[] }>(ofC), ({ same, failures }) =>
      diagnosisOf(failures).map(({ defects }) => defects.some((found) => same.includes(found))),
    )
    publish('wrong server in C', figures)
    expect(figures.first).toBeGreaterThanOrEqual(70)
    expect(figures.three).toBeGreaterThanOrEqual(80)
  })
})
