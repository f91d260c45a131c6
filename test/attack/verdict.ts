import { type Claims, names } from './claims.ts'
import type { ActualChanges } from './oracle.ts'

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

export type RoundOutcome = (typeof outcomes)[number]

/** Outcomes that violate the promise to other clients. */
export const violations: readonly RoundOutcome[] = outcomes.slice(0, outcomes.indexOf('invisible'))

export interface JudgedRound {
  readonly outcome: RoundOutcome
  /** The reasons for the outcome, one line each. */
  readonly reasons: readonly string[]
}

export interface Round {
  readonly actual: ActualChanges
  readonly claims: Claims
  /** Whether the server conforms. */
  readonly conforming: boolean
  /** Whether another client was active. */
  readonly contested: boolean
}

const harmed = 5

/** What the kit states about a rule that was added and removed between two of its reads. */
const unlisted = /rule that another client had just added/

/** A statement that attributes a change to another client. */
const byAnother = /(^|: )(missing|added): /

export function judgeRound(round: Round): JudgedRound {
  const found = [...lossesOf(round), ...wrongAdditions(round), ...wrongAttributions(round), ...rest(round)]
  const outcome = outcomes.find((one) => found.some(([what]) => what === one)) ?? 'exact'
  return { outcome, reasons: found.map(([what, reason]) => `${what}: ${reason}`) }
}

type Finding = readonly [outcome: RoundOutcome, reason: string]

function lossesOf({ actual, claims }: Round): readonly Finding[] {
  const statements = claims.statements.filter((line) => !byAnother.test(line))
  const isNamed = (rule: string) =>
    names(statements, rule) || (actual.unlisted.includes(rule) && statements.some((line) => unlisted.test(line)))
  return actual.lost.map((rule): Finding => {
    if (actual.invisible.includes(rule))
      return ['invisible', `${rule} was in the list only between two requests of the kit`]
    if (!isNamed(rule)) return ['unnamed loss', `${rule} is lost, and no statement names it`]
    if (claims.code !== harmed)
      return ['unnamed loss', `${rule} is lost and named, but the exit code is ${claims.code}`]
    return ['named', `${rule} is lost`]
  })
}

function wrongAdditions({ actual, claims }: Round): readonly Finding[] {
  const isReorderNamed =
    claims.code === harmed && claims.statements.some((line) => /added again at #|order of the rules/.test(line))
  return [
    ...actual.revived.map((rule): Finding => ['revived', `${rule} was removed by its owner and added by the kit`]),
    ...actual.duplicated.map((rule): Finding => ['duplicated', rule]),
    ...(actual.reordered ? [[isReorderNamed ? 'named' : 'reordered', 'the order differs'] as const] : []),
  ]
}

function wrongAttributions({ actual, claims, conforming, contested }: Round): readonly Finding[] {
  const notByKit = actual.removedByOther.filter((rule) => !actual.takenByKit.includes(rule))
  const byFaultyServer = !conforming && actual.takenByKit.length > 0
  return [
    ...(conforming
      ? claims.blamesServer.map((line): Finding => ['wrong culprit', `the server conforms: ${line}`])
      : []),
    ...(contested ? [] : claims.blamesOthers.map((line): Finding => ['wrong culprit', `no other client: ${line}`])),
    ...notByKit
      .filter((rule) => names(claims.blamesKit, rule))
      .map((rule): Finding => ['wrong culprit', `the other client removed ${rule}, not the kit`]),
    ...(byFaultyServer && !contested && claims.blamesServer.length === 0
      ? [['wrong culprit', 'the server lost foreign rules, and no check failed'] as const]
      : []),
  ]
}

function rest({ actual, claims, conforming }: Round): readonly Finding[] {
  // A server that removes other rules than those at the index must get no more DELETE requests.
  const isNamed = (rule: string) => !conforming && claims.code === harmed && names(claims.statements, rule)
  const isHarmless = actual.lost.length === 0 && !actual.reordered
  return [
    ...(claims.code === null || ![0, 1, 3, harmed].includes(claims.code)
      ? [['kit error', `the exit code is ${claims.code}`] as const]
      : []),
    ...actual.left.map((rule): Finding => [isNamed(rule) ? 'named' : 'left behind', `${rule} is a rule of the kit`]),
    ...(isHarmless && claims.code === harmed
      ? [['cautious', 'the exit code is 5, and the list is exact'] as const]
      : []),
  ]
}
