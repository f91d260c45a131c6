import { didYouMean } from '../../documents/nearest.ts'
import { type Direction, directions, type Mode, modes, type Rule, ruleMembers } from './rule.ts'

/** A rule as input: logins are numbers or, beyond 2^53, bigints. */
export interface RuleInput {
  readonly master: number | bigint
  readonly follower: number | bigint
  readonly mode: Mode
  readonly value: number
  readonly direction: Direction
}

/** A client could not add this rule. */
export class InvalidRuleError extends Error {
  override readonly name = 'InvalidRuleError'
  readonly hint =
    'A rule is { master, follower, mode: mult or fixed, value above 0, direction: same or reverse }, such as the profile lets clients add.'
}

/** @throws InvalidRuleError, which names the rule by its position in the input */
export function toRules(input: readonly RuleInput[]): readonly Rule[] {
  return input.map((rule, index) => {
    const problem = problemOf(rule)
    if (problem !== undefined) throw new InvalidRuleError(`Rule ${index + 1} of ${input.length}: ${problem}`)
    const { master, follower, mode, value, direction } = rule
    return { master: BigInt(master), follower: BigInt(follower), mode, value, direction }
  })
}

function problemOf(rule: RuleInput): string | undefined {
  if (Object(rule) !== rule) return 'not an object.'
  const unknown = Object.keys(rule).find((name) => !ruleMembers.includes(name))
  if (unknown !== undefined) return `there is no member "${unknown}".${didYouMean(unknown, ruleMembers)}`
  const missing = ruleMembers.find((name) => rule[name as keyof RuleInput] === undefined)
  if (missing !== undefined) return `${missing} is missing.`
  const { master, follower, mode, value, direction } = rule
  const known = modes.includes(mode) && directions.includes(direction)
  if (!known || !(value > 0 && Number.isFinite(value))) return `not a valid rule: ${mode}, ${value}, ${direction}.`
  const login = [master, follower].find((one) => typeof one !== 'bigint' && !Number.isSafeInteger(one))
  return login === undefined ? undefined : `not a valid login: ${login}. Use a bigint for a login above 2^53.`
}
