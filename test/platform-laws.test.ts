import { type Arbitrary, assert, asyncProperty, constantFrom, record, sample } from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type PlatformDefect, platformDefects } from '../simulator/platform/defects/index.ts'
import { defaultPlatformProfile, type PlatformProfile } from '../simulator/platform/index.ts'
import { type PlatformQuestion, platformQuestions } from '../spec/questions/platform.ts'
import { platformRequirements } from '../spec/requirements/platform.ts'
import { platformChecks, platformObservations } from '../suites/cases/platform/all.ts'
import type { Outcome } from '../suites/engine/outcome.ts'
import { judgePlatform } from './judge-platform.ts'

/** Some answers; the questions that are left out have their default. */
type Answers = Partial<PlatformProfile>

const requirements: readonly string[] = platformRequirements.map(({ id }) => id)
const requirementOf = new Map(platformChecks.map(({ id, requirement }) => [id, requirement]))
const questionOf = new Map(platformObservations.map(({ id, question }) => [id, question as keyof PlatformProfile]))
const observationOf = new Map(platformObservations.map(({ id, question }) => [question, id]))

/** Names what chance chose in this run; another run with it chooses the same. */
const seed = Number(process.env.TCK_SEED ?? Date.now() % 2 ** 31)
const profileCount = Number(process.env.TCK_PROFILES ?? 3)

/** Any combination of answers. The default comes first, so that a counterexample shrinks to what matters. */
const anyAnswers: Arbitrary<Answers> = record(
  Object.fromEntries(
    platformQuestions.map(({ id, answers, default: byDefault }) => [
      id,
      constantFrom(...new Set([byDefault, ...Object.keys(answers)])),
    ]),
  ),
).map((all) =>
  Object.fromEntries(
    Object.entries(all).filter(([id, answer]) => answer !== defaultPlatformProfile[id as keyof PlatformProfile]),
  ),
)

/** What cannot be judged, or answered by looking, where questions have these answers. */
const hidden: readonly { readonly subjects: RegExp; readonly where: Answers }[] = [
  // Nobody knows what becomes of accounts that are listed nowhere.
  {
    subjects:
      /^platform\.(list\.(?!path)|create\.(refused-adds|same-twice|balance-third)|robust\.(parallel|overflowing)|signing\.covers-query)/,
    where: { 'platform.list.path': 'none' },
  },
  { subjects: /^platform\.list\.created-fields$/, where: { 'platform.list.fields': 'known' } },
  { subjects: /^platform\.signing\.(?!check)/, where: { 'platform.signing.check': 'off' } },
  // Without a timestamp a request is as one without a signature, and such a one is refused.
  { subjects: /^platform\.signing\.without-timestamp$/, where: { 'platform.signing.check': 'required' } },
  // Where wrong methods are answered otherwise there may be no 405 to look at.
  { subjects: /^platform\.method\.allow$/, where: { 'platform.method.account': '404' } },
  { subjects: /^platform\.method\.allow$/, where: { 'platform.method.account': '400' } },
]

function includes(answers: Answers, part: Answers): boolean {
  const complete = { ...defaultPlatformProfile, ...answers }
  return Object.entries(part).every(([id, answer]) => complete[id as keyof PlatformProfile] === answer)
}

/** What is said wrongly about a simulator without a defect. */
function falseAlarms(profile: Answers, outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap(({ check, status, answer, message, expected, actual }) => {
    const question = questionOf.get(check)
    const subject = question ?? requirementOf.get(check) ?? check
    if (hidden.some(({ subjects, where }) => subjects.test(subject) && includes(profile, where))) {
      return ['passed', 'not-applicable'].includes(status) ? [] : [`${check} ${subject}: ${status} ${message}`]
    }
    const wanted = question === undefined ? null : (profile[question] ?? defaultPlatformProfile[question])
    return status === 'passed' && answer === wanted
      ? []
      : [`${check} ${subject}: ${status}, ${answer} in place of ${wanted}: ${message} ${expected} ${actual}`]
  })
}

test(
  'no false alarm: a platform with any profile passes, and is observed to have that profile',
  async () => {
    const holds = asyncProperty(anyAnswers, async (profile) => {
      expect(falseAlarms(profile, await judgePlatform([], { profile }))).toEqual([])
    })
    await assert(holds, { seed, numRuns: profileCount })
  },
  60_000 + profileCount * 10_000,
)

/** Of each requirement, what its checks have come to. */
function byRequirement(outcomes: readonly Outcome[]): Map<string, Set<string>> {
  const statuses = new Map<string, Set<string>>()
  for (const { check, status } of outcomes) {
    const requirement = requirementOf.get(check) ?? check
    statuses.set(requirement, (statuses.get(requirement) ?? new Set()).add(status))
  }
  return statuses
}

describe.for([
  { choices: 'the default answers', profile: {} },
  { choices: `other answers (TCK_SEED=${seed})`, profile: sample(anyAnswers, { seed, numRuns: 1 })[0] ?? {} },
])('no blind spot: with $choices every defect is caught by each requirement that it breaks', ({ profile }) => {
  let without: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  beforeAll(async () => {
    without = byRequirement(await judgePlatform(requirements, { profile }))
  }, 30_000)

  test.concurrent.for(platformDefects)('$id', async ({ breaks, hiddenBy = [], override }: PlatformDefect) => {
    const outcomes = await judgePlatform(breaks, { profile, override })
    expect(outcomes.filter(({ status }) => status === 'error')).toEqual([])
    const found = byRequirement(outcomes)
    const hidden = hiddenBy.filter(({ answers }) => includes(profile, answers)).flatMap(({ from }) => from ?? breaks)
    for (const requirement of breaks.filter((id) => !hidden.includes(id))) {
      expect(found.get(requirement), `with the defect, ${requirement}`).toContain('failed')
      expect([...(without.get(requirement) ?? [])], `without a defect, ${requirement}`).toEqual(['passed'])
    }
  })
})

const hidings = platformDefects.flatMap(({ id, breaks, hiddenBy = [], override }) =>
  hiddenBy.map(({ answers, from = breaks }) => ({ id, answers, from, override })),
)

test.concurrent.for(hidings)('$id is hidden by $answers', async ({ answers, from, override }) => {
  const found = byRequirement(await judgePlatform(from, { profile: answers, override }))
  expect(from.filter((requirement) => found.get(requirement)?.has('failed'))).toEqual([])
})

test('no toothless check: every requirement is broken by a defect', () => {
  const broken = new Set<string>(platformDefects.flatMap(({ breaks }) => breaks))
  expect(requirements.filter((requirement) => !broken.has(requirement))).toEqual([])
})

test('the ids of the defects are unique', () => {
  const ids = platformDefects.map(({ id }) => id)
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
})

const answers = platformQuestions.flatMap((question: PlatformQuestion) =>
  Object.keys(question.answers).map((answer) => ({ question: question.id, answer })),
)

describe('a platform that was given one answer is observed to give it', () => {
  test.concurrent.for(answers)('$question: $answer', async ({ question, answer }) => {
    const outcomes = await judgePlatform([question], { profile: { [question]: answer } as Answers })
    expect(outcomes).toMatchObject([{ check: observationOf.get(question), status: 'passed', answer }])
  })
})
