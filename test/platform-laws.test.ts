import { type Arbitrary, assert, asyncProperty, constantFrom, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPlatformProfile, type PlatformProfile } from '../simulator/platform/index.ts'
import { type PlatformQuestion, platformQuestions } from '../spec/questions/platform.ts'
import { platformChecks, platformObservations } from '../suites/cases/platform/all.ts'
import type { Outcome } from '../suites/engine/outcome.ts'
import { judgePlatform } from './judge-platform.ts'

/** Some answers; the questions that are left out have their default. */
type Answers = Partial<PlatformProfile>

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

const answers = platformQuestions.flatMap((question: PlatformQuestion) =>
  Object.keys(question.answers).map((answer) => ({ question: question.id, answer })),
)

describe('a platform that was given one answer is observed to give it', () => {
  test.concurrent.for(answers)('$question: $answer', async ({ question, answer }) => {
    const outcomes = await judgePlatform([question], { profile: { [question]: answer } as Answers })
    expect(outcomes).toMatchObject([{ check: observationOf.get(question), status: 'passed', answer }])
  })
})
