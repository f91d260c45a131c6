import type { Answers } from '../target/self-test.ts'
import type { ApiMatrix, Violation } from './document.ts'
import { type Done, failedIn, violationKind } from './matrix.ts'
import type { ApiScope } from './scope.ts'

/** A violation with what is needed to reproduce it with fewer answers. */
export interface PossibleViolation extends Omit<Violation, 'sentence'> {
  /** Renders the sentence for the final answers. */
  readonly say: (answers: Answers) => string
  /** Position of the random profile; null for the default answers. */
  readonly profile: number | null
}

/** Defaults for the members that a law does not set. */
const unknown = { defect: null, requirement: null, check: null, answers: {}, profile: null } as const

export function findPossibleViolations(
  scope: ApiScope,
  matrix: ApiMatrix,
  done: readonly Done[],
): readonly PossibleViolation[] {
  return [
    ...falseAlarms(scope, done),
    ...errors(done),
    ...blindSpots(matrix),
    ...blindScopes(matrix),
    ...missedUnderRandomAnswers(matrix),
    ...staleExcuses(scope, done),
    ...unproven(scope, matrix),
  ]
}

/** Laws 1 and 4: one possible violation for each check, with the first profile for which it is wrong. */
function falseAlarms({ api }: ApiScope, done: readonly Done[]): readonly PossibleViolation[] {
  const right = done.flatMap((one) => (one.purpose === 'right' ? [one] : []))
  const wrong = right.flatMap(({ profile, task, results }) =>
    results.flatMap((result) => {
      const kind = violationKind(api, task.answers, result)
      return kind === null ? [] : [{ kind, profile, answers: task.answers, result }]
    }),
  )
  const firsts = new Map(wrong.toReversed().map((one) => [one.result.check, one]))
  return [...firsts.values()].toReversed().map(({ kind, profile, answers, result }) => {
    const { check, status, answer, message } = result
    const requirement = api.checks.find(({ id }) => id === check)?.requirement ?? null
    const question = api.observations.find(({ id }) => id === check)?.question
    const times = wrong.filter((one) => one.result.check === check).length
    const where = `in ${times} of ${right.length} profiles`
    const observed =
      question !== undefined && status === 'passed' ? `observed ${answer ?? 'none of the answers'}` : status
    const about = requirement ?? question
    return {
      ...unknown,
      law: question === undefined ? 1 : 4,
      kind,
      requirement,
      check,
      answers,
      profile,
      say: (shown) =>
        `${check} (${about}) is wrong for a simulator without a defect, ${where}: ${observed}${message === null ? '' : `, ${withoutStop(message)}`}. Reproduce with ${answersText(shown)}.`,
    }
  })
}

/** Law 2: a check that ends in an internal error has not judged the defect. */
function errors(done: readonly Done[]): readonly PossibleViolation[] {
  return done.flatMap((one) => {
    if (one.purpose === 'right') return []
    return one.results
      .filter(({ status }) => status === 'error')
      .map(
        ({ check, message }): PossibleViolation => ({
          ...unknown,
          law: 2,
          kind: 'error',
          defect: one.defect.id,
          check,
          answers: one.task.answers,
          say: (shown) =>
            `${check} ended in an internal error for the defect ${one.defect.id}, with ${answersText(shown)}: ${withoutStop(message?.split('\n')[0] ?? 'no message')}.`,
        }),
      )
  })
}

/** Law 2: every requirement that a defect breaks must catch it. */
function blindSpots({ defects }: ApiMatrix): readonly PossibleViolation[] {
  return defects.flatMap(({ id, missedBy, verdict, killedBy }) =>
    missedBy.map((requirement): PossibleViolation => {
      const rest = killedBy.length === 0 ? 'no other requirement catches it' : `it is caught by ${killedBy.join(', ')}`
      return {
        ...unknown,
        law: 2,
        kind: 'blind-spot',
        defect: id,
        requirement,
        say: () =>
          verdict === 'survived'
            ? `The defect ${id} survived: neither ${requirement}, which it breaks, nor another requirement fails.`
            : `The defect ${id} is missed by ${requirement}, which it breaks; ${rest}.`,
      }
    }),
  )
}

/** Law 2 in users' runs: a defect is caught whenever a check that can catch it is in scope. */
function blindScopes({ detection }: ApiMatrix): readonly PossibleViolation[] {
  return detection.flatMap(({ summary, missed }) =>
    missed.map(
      (defect): PossibleViolation => ({
        ...unknown,
        law: 2,
        kind: 'blind-spot',
        defect,
        say: () =>
          `The defect ${defect} is missed by a run with ${summary}, although a check that catches it is in scope.`,
      }),
    ),
  )
}

function missedUnderRandomAnswers({ defects, profiles }: ApiMatrix): readonly PossibleViolation[] {
  return defects.flatMap(({ id, combined, missedBy }) =>
    // Defects missed under the default answers are reported above.
    (combined?.missedBy ?? []).flatMap((requirement): readonly PossibleViolation[] => {
      if (missedBy.includes(requirement)) return []
      const profile = combined?.profile ?? 0
      return [
        {
          ...unknown,
          law: 2,
          kind: 'blind-spot',
          defect: id,
          requirement,
          answers: profiles[profile] ?? {},
          profile,
          say: (shown) =>
            `The defect ${id} is missed by ${requirement}, which it breaks, with ${answersText(shown)}, and no \`maskedBy\` says so.`,
        },
      ]
    }),
  )
}

/** Law 2: answers that are listed as masks of a defect must mask it. */
function staleExcuses(scope: ApiScope, done: readonly Done[]): readonly PossibleViolation[] {
  return done.flatMap((one) => {
    if (one.purpose !== 'hiding') return []
    const red = failedIn(scope, one.results)
    return one.task.requirements
      .filter((requirement) => red.includes(requirement))
      .map(
        (requirement): PossibleViolation => ({
          ...unknown,
          law: 2,
          kind: 'stale-excuse',
          defect: one.defect.id,
          requirement,
          answers: one.task.answers,
          say: (shown) =>
            `The defect ${one.defect.id} has a mask for ${requirement} with ${answersText(shown)}, but is caught there.`,
        }),
      )
  })
}

/** Law 3: a requirement that fails for no defect may be unable to fail. */
function unproven({ complete }: ApiScope, { requirements }: ApiMatrix): readonly PossibleViolation[] {
  return requirements
    .filter(({ id, unproven }) => unproven && complete.includes(id))
    .map(
      ({ id, brokenBy }): PossibleViolation => ({
        ...unknown,
        law: 3,
        kind: 'unproven',
        requirement: id,
        say: () =>
          brokenBy.length === 0
            ? `The requirement ${id} is unproven: no defect breaks it.`
            : `The requirement ${id} is unproven: none of the defects that break it (${brokenBy.join(', ')}) makes it fail.`,
      }),
    )
}

/** The non-default answers as part of a sentence. */
export function answersText(answers: Answers): string {
  const parts = Object.entries(answers).map(([question, answer]) => `${question}=${answer}`)
  return parts.length === 0 ? 'the default answers' : parts.join(' ')
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
