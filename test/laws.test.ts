import { beforeAll, describe, expect, test } from 'vitest'
import { type Defect, pluginDefects } from '../simulator/defects/index.ts'
import type { Override } from '../simulator/index.ts'
import { pluginRequirements } from '../spec/requirements/plugin.ts'
import { pluginChecks } from '../suites/cases/all.ts'
import type { Outcome } from '../suites/engine/outcome.ts'
import { createEmbeddedDriver } from '../suites/targets/embedded.ts'
import { judge } from './judge.ts'

/** Room for the rules of others and for the most that a check adds without filling the list. */
const capacity = 32
const requirements: readonly string[] = pluginRequirements.map(({ id }) => id)
const requirementOf = new Map(pluginChecks.map(({ id, requirement }) => [id, requirement]))

function judgeWith(only: readonly string[], override?: Override): Promise<readonly Outcome[]> {
  return judge({
    driver: createEmbeddedDriver({ capacity, ...(override && { override }) }),
    capabilities: ['launch', 'crash', 'rules-file', 'capacity', 'stated-capacity'],
    capacity,
    chosen: { only, seed: 7 },
  })
}

/** Of each requirement, what its checks have come to. */
function byRequirement(outcomes: readonly Outcome[]): Map<string, Set<string>> {
  const statuses = new Map<string, Set<string>>()
  for (const { check, status } of outcomes) {
    const requirement = requirementOf.get(check) ?? check
    statuses.set(requirement, (statuses.get(requirement) ?? new Set()).add(status))
  }
  return statuses
}

describe('no blind spot: every defect is caught by each requirement that it says it breaks', () => {
  let without: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  beforeAll(async () => {
    without = byRequirement(await judgeWith(requirements))
  }, 30_000)

  test.concurrent.for(pluginDefects)('$id', async ({ breaks, override }: Defect) => {
    const outcomes = await judgeWith(breaks, override)
    expect(outcomes.filter(({ status }) => status === 'error')).toEqual([])
    const found = byRequirement(outcomes)
    for (const requirement of breaks) {
      expect(found.get(requirement), `with the defect, ${requirement}`).toContain('failed')
      expect([...(without.get(requirement) ?? [])], `without a defect, ${requirement}`).toEqual(['passed'])
    }
  })
})

test('no toothless check: every requirement is broken by a defect', () => {
  const broken = new Set<string>(pluginDefects.flatMap(({ breaks }) => breaks))
  expect(requirements.filter((requirement) => !broken.has(requirement))).toEqual([])
})

test('the ids of the defects are unique', () => {
  const ids = pluginDefects.map(({ id }) => id)
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
})
