import type { Truth } from './oracle.ts'
import { names, type Said } from './said.ts'

/**
 * The outcome of a round, the worst first. `invisible`: a rule is lost that no list the kit could read shows. The API
 * offers no way to notice this.
 */
export const outcomes = [
  'kit error',
  'unnamed loss',
  'revived',
  'duplicated',
  'reordered',
  'wrong culprit',
  'left behind',
  'invisible',
  'named',
  'cautious',
  'exact',
] as const

export type Outcome = (typeof outcomes)[number]

/** Outcomes that violate the promise to other clients. */
export const violations: readonly Outcome[] = outcomes.slice(0, outcomes.indexOf('invisible'))

export interface Judged {
  readonly outcome: Outcome
  /** The reasons for the outcome, one line each. */
  readonly reasons: readonly string[]
}

export interface Round {
  readonly truth: Truth
  readonly said: Said
  /** Whether the server conforms. */
  readonly conforming: boolean
  /** Whether another client was active. */
  readonly contested: boolean
}

const harmed = 5

/** What the kit states about a rule that was added and removed between two of its reads. */
const unlisted = /rule that another client had just added/

/** A statement that attributes a change to another client. */
const byAnother = /(^|: )(missing|left behind): /

export function judge(round: Round): Judged {
  const found = [...lossesOf(round), ...wrongAdditions(round), ...wrongAttributions(round), ...rest(round)]
  const outcome = outcomes.find((one) => found.some(([what]) => what === one)) ?? 'exact'
  return { outcome, reasons: found.map(([what, reason]) => `${what}: ${reason}`) }
}

type Finding = readonly [outcome: Outcome, reason: string]

function lossesOf({ truth, said }: Round): readonly Finding[] {
  const statements = said.statements.filter((line) => !byAnother.test(line))
  const isNamed = (rule: string) =>
    names(statements, rule) || (truth.unlisted.includes(rule) && statements.some((line) => unlisted.test(line)))
  return truth.lost.map((rule): Finding => {
    if (truth.invisible.includes(rule))
      return ['invisible', `${rule} was in the list only between two requests of the kit`]
    if (!isNamed(rule)) return ['unnamed loss', `${rule} is lost, and no statement names it`]
    if (said.code !== harmed) return ['unnamed loss', `${rule} is lost and named, but the exit code is ${said.code}`]
    return ['named', `${rule} is lost`]
  })
}

function wrongAdditions({ truth, said }: Round): readonly Finding[] {
  const isReorderNamed =
    said.code === harmed && said.statements.some((line) => /added again at #|order of the rules/.test(line))
  return [
    ...truth.revived.map((rule): Finding => ['revived', `${rule} was removed by its owner and added by the kit`]),
    ...truth.duplicated.map((rule): Finding => ['duplicated', rule]),
    ...(truth.reordered ? [[isReorderNamed ? 'named' : 'reordered', 'the order differs'] as const] : []),
  ]
}

function wrongAttributions({ truth, said, conforming, contested }: Round): readonly Finding[] {
  const innocent = truth.removedByOther.filter((rule) => !truth.takenByKit.includes(rule))
  const byFaultyServer = !conforming && truth.takenByKit.length > 0
  return [
    ...(conforming ? said.blamesServer.map((line): Finding => ['wrong culprit', `the server conforms: ${line}`]) : []),
    ...(contested ? [] : said.blamesOthers.map((line): Finding => ['wrong culprit', `no other client: ${line}`])),
    ...innocent
      .filter((rule) => names(said.blamesKit, rule))
      .map((rule): Finding => ['wrong culprit', `the other client removed ${rule}, not the kit`]),
    ...(byFaultyServer && !contested && said.blamesServer.length === 0
      ? [['wrong culprit', 'the server lost foreign rules, and no check failed'] as const]
      : []),
  ]
}

function rest({ truth, said, conforming }: Round): readonly Finding[] {
  // A server that removes other rules than those at the index must get no more DELETE requests.
  const isNamed = (rule: string) => !conforming && said.code === harmed && names(said.statements, rule)
  const isHarmless = truth.lost.length === 0 && !truth.reordered
  return [
    ...(said.code === null || ![0, 1, 3, harmed].includes(said.code)
      ? [['kit error', `the exit code is ${said.code}`] as const]
      : []),
    ...truth.left.map((rule): Finding => [isNamed(rule) ? 'named' : 'left behind', `${rule} is a rule of the kit`]),
    ...(isHarmless && said.code === harmed ? [['cautious', 'the exit code is 5, and the list is exact'] as const] : []),
  ]
}
