import { type Answers, expectedKills } from '../target/self-test.ts'
import { type ApiMatrix, failedIn, type Tried, violationKind } from './matrix.ts'
import type { Processes } from './processes.ts'
import { type ApiScope, smallestViolation } from './scope.ts'
import { bareTask, type SelfTestTask } from './task.ts'

/** 1 no false alarm, 2 no blind spot, 3 no unproven check, 4 a twin is exact. */
export type Law = 1 | 2 | 3 | 4

/** A law that does not hold, and what it is about; null for what it is not about. */
export interface Violation {
  readonly law: Law
  readonly kind: 'blind-spot' | 'stale-excuse' | 'unproven' | NonNullable<ReturnType<typeof violationKind>>
  readonly sentence: string
  readonly defect: string | null
  readonly requirement: string | null
  readonly check: string | null
  /** The smallest known set of answers, without the default ones, with which it happens. */
  readonly answers: Answers
}

/** A violation before its answers are reduced. `{answers}` in its sentence stands for the final answers. */
export interface PossibleViolation extends Violation {
  /** Position of the random profile; null for the default answers. */
  readonly profile: number | null
}

function violation(law: Law, kind: Violation['kind'], sentence: string, about: Partial<PossibleViolation>) {
  return { defect: null, requirement: null, check: null, answers: {}, profile: null, ...about, law, kind, sentence }
}

export function findPossibleViolations(scope: ApiScope, matrix: ApiMatrix, { right, defects }: Tried) {
  return [
    ...falseAlarms(scope, right),
    ...errors(defects),
    ...blindSpots(matrix),
    ...blindScopes(matrix),
    ...missedUnderRandomAnswers(matrix),
    ...staleExcuses(defects),
    ...unproven(scope, matrix),
  ]
}

/** Laws 1 and 4: one possible violation for each check, with the first profile for which it is wrong. */
function falseAlarms({ api }: ApiScope, right: Tried['right']): readonly PossibleViolation[] {
  const wrong = right.flatMap(({ profile, task, results }) =>
    results.flatMap((result) => {
      const kind = violationKind(api, task.answers, result)
      return kind === null ? [] : [{ kind, profile, answers: task.answers, result }]
    }),
  )
  const firsts = new Map(wrong.toReversed().map((one) => [one.result.check, one]))
  return [...firsts.values()].toReversed().map(({ kind, profile, answers, result }) => {
    const { check, status, answer, message, requirement = null, question } = result
    const times = wrong.filter((one) => one.result.check === check).length
    const where = `in ${times} of ${right.length} profiles`
    const observed =
      question !== undefined && status === 'passed' ? `observed ${answer ?? 'none of the answers'}` : status
    const details = message === null ? '' : `, ${withoutStop(message)}`
    const law = question === undefined ? 1 : 4
    const sentence = `${check} (${requirement ?? question}) is wrong for a simulator without a defect, ${where}: ${observed}${details}. Reproduce with {answers}.`
    return violation(law, kind, sentence, { requirement, check, answers, profile })
  })
}

/** Law 2: a check that ends in an internal error has not judged the defect. */
function errors(defects: Tried['defects']): readonly PossibleViolation[] {
  return defects.flatMap(({ defect: { id: defect }, row, combined, other, masked }) =>
    [row, combined, other, ...masked].flatMap((run) => {
      const failed = run?.results.filter(({ status }) => status === 'error') ?? []
      return failed.map(({ check, message }) => {
        const reason = withoutStop(message?.split('\n')[0] ?? 'no message')
        const sentence = `${check} ended in an internal error for the defect ${defect}, with {answers}: ${reason}.`
        return violation(2, 'error', sentence, { defect, check, answers: run?.task.answers ?? {} })
      })
    }),
  )
}

/** Law 2: every requirement that a defect breaks must catch it. */
function blindSpots({ defects }: ApiMatrix): readonly PossibleViolation[] {
  return defects.flatMap(({ id: defect, missedBy, verdict, killedBy }) =>
    missedBy.map((requirement) => {
      const rest = killedBy.length === 0 ? 'no other requirement catches it' : `it is caught by ${killedBy.join(', ')}`
      const sentence =
        verdict === 'survived'
          ? `The defect ${defect} survived: neither ${requirement}, which it breaks, nor another requirement fails.`
          : `The defect ${defect} is missed by ${requirement}, which it breaks; ${rest}.`
      return violation(2, 'blind-spot', sentence, { defect, requirement })
    }),
  )
}

/** Law 2 in users' runs: a defect is caught whenever a check that can catch it is in scope. */
function blindScopes({ detection }: ApiMatrix): readonly PossibleViolation[] {
  return detection.flatMap(({ summary, missed }) =>
    missed.map((defect) => {
      const sentence = `The defect ${defect} is missed by a run with ${summary}, although a check that catches it is in scope.`
      return violation(2, 'blind-spot', sentence, { defect })
    }),
  )
}

function missedUnderRandomAnswers({ defects, profiles }: ApiMatrix): readonly PossibleViolation[] {
  return defects.flatMap(({ id: defect, combined, missedBy }) => {
    if (combined === null) return []
    const { profile } = combined
    // Defects missed under the default answers are reported above.
    const missed = combined.missedBy.filter((requirement) => !missedBy.includes(requirement))
    return missed.map((requirement) => {
      const sentence = `The defect ${defect} is missed by ${requirement}, which it breaks, with {answers}, and no \`maskedBy\` says so.`
      return violation(2, 'blind-spot', sentence, { defect, requirement, answers: profiles[profile] ?? {}, profile })
    })
  })
}

/** Law 2: answers that are listed as masks of a defect must mask it. */
function staleExcuses(defects: Tried['defects']): readonly PossibleViolation[] {
  return defects.flatMap(({ defect: { id: defect }, masked }) =>
    masked.flatMap(({ task: { requirements, answers }, results }) => {
      const red = failedIn(results)
      const caught = requirements.filter((requirement) => red.includes(requirement))
      return caught.map((requirement) => {
        const sentence = `The defect ${defect} has a mask for ${requirement} with {answers}, but is caught there.`
        return violation(2, 'stale-excuse', sentence, { defect, requirement, answers })
      })
    }),
  )
}

/** Law 3: a requirement that fails for no defect may be unable to fail. */
function unproven({ complete }: ApiScope, { requirements }: ApiMatrix): readonly PossibleViolation[] {
  const open = requirements.filter(({ id, unproven }) => unproven && complete.includes(id))
  return open.map(({ id: requirement, brokenBy }) => {
    const reason =
      brokenBy.length === 0
        ? 'no defect breaks it'
        : `none of the defects that break it (${brokenBy.join(', ')}) makes it fail`
    return violation(3, 'unproven', `The requirement ${requirement} is unproven: ${reason}.`, { requirement })
  })
}

/** A few small examples are enough, even if there are many violations. */
const maxShrunk = 10

/** The possible violations, with as few answers as possible. A violation that does not happen again keeps its answers. */
export async function shrinkAll(possible: readonly PossibleViolation[], scope: ApiScope, run: Processes['run']) {
  const shrunk = possible.filter(({ profile }) => profile !== null).slice(0, maxShrunk)
  return Promise.all(
    possible.map(async (one) => {
      const { profile: _, ...finding } = one
      const smallest = shrunk.includes(one)
        ? await smallestViolation(one.answers, (answers) => violates({ ...finding, answers }, scope, run))
        : null
      const answers = smallest ?? finding.answers
      return { ...finding, answers, sentence: finding.sentence.replace('{answers}', () => answersText(answers)) }
    }),
  )
}

async function violates(
  { defect, requirement, check, answers }: Violation,
  { api, seed }: ApiScope,
  run: Processes['run'],
): Promise<boolean> {
  const task: SelfTestTask = {
    ...{ ...bareTask, api: api.name, answers, seed },
    defects: defect === null ? [] : [defect],
    requirements: requirement === null ? [] : [requirement],
    observes: defect === null && requirement === null,
  }
  const known = api.defects.find(({ id }) => id === defect)
  if (known === undefined) {
    const results = await run(task)
    return results.some((result) => result.check === check && violationKind(api, answers, result) !== null)
  }
  const isDue = expectedKills(api, known, answers).due.some((id) => id === requirement)
  if (!isDue || requirement === null) return false
  return !failedIn(await run(task)).includes(requirement)
}

/** The non-default answers as part of a sentence. */
export function answersText(answers: Answers): string {
  const parts = Object.entries(answers).map(([question, answer]) => `${question}=${answer}`)
  return parts.length === 0 ? 'the default answers' : parts.join(' ')
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
