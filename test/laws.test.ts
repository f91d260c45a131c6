import { type Arbitrary, assert, asyncProperty, constantFrom, record, sample } from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Defect, pluginDefects } from '../simulator/defects/index.ts'
import { defaultProfile, type Profile } from '../simulator/index.ts'
import { pluginQuestions } from '../spec/questions/plugin.ts'
import { pluginRequirements } from '../spec/requirements/plugin.ts'
import { pluginChecks, pluginObservations } from '../suites/cases/all.ts'
import { ownServerCapabilities } from '../suites/engine/check.ts'
import type { Outcome } from '../suites/engine/outcome.ts'
import { createEmbeddedDriver, type SimulatorTraits } from '../suites/targets/embedded.ts'
import { judge } from './judge.ts'

/** Some answers; the questions that are left out have their default. */
type Answers = Partial<Profile>

/** Room for the rules of others and for the most that a check adds without filling the list. */
const capacity = 32
const requirements: readonly string[] = pluginRequirements.map(({ id }) => id)
const requirementOf = new Map(pluginChecks.map(({ id, requirement }) => [id, requirement]))
const questionOf = new Map(pluginObservations.map(({ id, question }) => [id, question as keyof Profile]))

/** Names what chance chose in this run; another run with it chooses the same. */
const seed = Number(process.env.TCK_SEED ?? Date.now() % 2 ** 31)
const profileCount = Number(process.env.TCK_PROFILES ?? 12)

/** Any combination of answers. The default comes first, so that a counterexample shrinks to what matters. */
const anyAnswers: Arbitrary<Answers> = record(
  Object.fromEntries(
    pluginQuestions.map(({ id, answers, default: byDefault }) => [
      id,
      constantFrom(...new Set([byDefault, ...Object.keys(answers)])),
    ]),
  ),
).map((all) =>
  Object.fromEntries(Object.entries(all).filter(([id, answer]) => answer !== defaultProfile[id as keyof Profile])),
)

/** Questions that cannot be answered by looking where another question has this answer. */
const unmeasurable: readonly { readonly question: keyof Profile; readonly where: Answers; readonly reason: string }[] =
  [
    {
      question: 'plugin.body.invalid-utf-8',
      where: { 'plugin.body.unknown-member': 'refused' },
      reason: 'the text that is no UTF-8 is sent in a further member, and that is refused in any case',
    },
  ]

function judgeWith(only: readonly string[], traits: SimulatorTraits): Promise<readonly Outcome[]> {
  return judge({
    driver: createEmbeddedDriver({ capacity, ...traits }),
    capabilities: [...ownServerCapabilities, 'capacity', 'stated-capacity'],
    capacity,
    chosen: { only, seed: 7 },
  })
}

function includes(answers: Answers, part: Answers): boolean {
  const complete = { ...defaultProfile, ...answers }
  return Object.entries(part).every(([id, answer]) => complete[id as keyof Profile] === answer)
}

/** What is said wrongly about a simulator without a defect. */
function falseAlarms(profile: Answers, outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap(({ check, status, answer, message }) => {
    const question = questionOf.get(check)
    const isHidden = unmeasurable.some((entry) => entry.question === question && includes(profile, entry.where))
    const expected = question === undefined || isHidden ? null : (profile[question] ?? defaultProfile[question])
    return status === 'passed' && answer === expected
      ? []
      : [`${check} ${question ?? requirementOf.get(check)}: ${status}, ${answer} in place of ${expected}: ${message}`]
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

test(
  'no false alarm: a simulator with any profile passes, and is observed to have that profile',
  async () => {
    const holds = asyncProperty(anyAnswers, async (profile) => {
      expect(falseAlarms(profile, await judgeWith([], { profile }))).toEqual([])
    })
    await assert(holds, { seed, numRuns: profileCount })
    // A run takes two seconds, and as many profiles may be tried once more to shrink a counterexample.
  },
  60_000 + profileCount * 10_000,
)

describe.for([
  { choices: 'the default answers', profile: {} },
  { choices: `other answers (TCK_SEED=${seed})`, profile: sample(anyAnswers, { seed, numRuns: 1 })[0] ?? {} },
])('no blind spot: with $choices every defect is caught by each requirement that it breaks', ({ profile }) => {
  let without: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  beforeAll(async () => {
    without = byRequirement(await judgeWith(requirements, { profile }))
  }, 30_000)

  test.concurrent.for(pluginDefects)('$id', async ({ breaks, hiddenBy = [], override }: Defect) => {
    const outcomes = await judgeWith(breaks, { profile, override })
    expect(outcomes.filter(({ status }) => status === 'error')).toEqual([])
    const found = byRequirement(outcomes)
    const hidden = hiddenBy.filter(({ answers }) => includes(profile, answers)).flatMap(({ from }) => from ?? breaks)
    for (const requirement of breaks.filter((id) => !hidden.includes(id))) {
      expect(found.get(requirement), `with the defect, ${requirement}`).toContain('failed')
      expect([...(without.get(requirement) ?? [])], `without a defect, ${requirement}`).toEqual(['passed'])
    }
  })
})

const hidings = pluginDefects.flatMap(({ id, breaks, hiddenBy = [], override }) =>
  hiddenBy.map(({ answers, from = breaks }) => ({ id, answers, from, override })),
)

test.concurrent.for(hidings)('$id is hidden by $answers', async ({ answers, from, override }) => {
  const found = byRequirement(await judgeWith(from, { profile: answers, override }))
  expect(from.filter((requirement) => found.get(requirement)?.has('failed'))).toEqual([])
})

test('no toothless check: every requirement is broken by a defect', () => {
  const broken = new Set<string>(pluginDefects.flatMap(({ breaks }) => breaks))
  expect(requirements.filter((requirement) => !broken.has(requirement))).toEqual([])
})

test('the ids of the defects are unique', () => {
  const ids = pluginDefects.map(({ id }) => id)
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
})
