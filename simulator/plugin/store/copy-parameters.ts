import { directions, modes, type Rule } from '../model/rule.ts'

/** The parameters of the plugin, all strings. */
export type Parameters = Readonly<Record<string, string>>

/** One `Copy_N` parameter. */
export interface CopyParameter {
  readonly name: string
  /** The digits after `Copy_`, as spelled. */
  readonly number: string
  readonly value: string
}

const largestLogin = 2n ** 64n - 1n
const loginPattern = /^\d{1,20}$/
const valuePattern = /^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

/** `Copy_N` with any digits after the underscore, `Copy_0` and `Copy_007` included. */
export const anyCopyName = /^Copy_(\d+)$/
/** `Copy_N` without leading zeros. */
export const plainCopyName = /^Copy_(0|[1-9]\d*)$/

/** By number; equal numbers (`Copy_7`, `Copy_007`) by name. */
export function byNumber(one: CopyParameter, other: CopyParameter): number {
  const difference = BigInt(one.number) - BigInt(other.number)
  return difference === 0n ? byText(one, other) : difference < 0n ? -1 : 1
}

/** By name: `Copy_10` before `Copy_2`. */
export function byText(one: CopyParameter, other: CopyParameter): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0
}

/** The non-empty parameters whose name matches `pattern`, in `order`. */
export function copyParameters(
  parameters: Parameters,
  pattern: RegExp,
  order: (one: CopyParameter, other: CopyParameter) => number,
): readonly CopyParameter[] {
  return Object.entries(parameters)
    .filter(([, value]) => value.trim() !== '')
    .flatMap(([name, value]) => {
      const number = pattern.exec(name)?.[1]
      return number === undefined ? [] : [{ name, number, value }]
    })
    .toSorted(order)
}

/**
 * The rules of one value `Master>Follower1,Follower2,...,mode,value,direction`: one for each follower. Undefined if any
 * part is invalid.
 */
export function parseCopy(text: string): readonly Rule[] | undefined {
  const [master, rest, ...more] = text.split('>')
  if (master === undefined || rest === undefined || more.length > 0) return undefined
  const parts = rest.split(',')
  const mode = parts.at(-3) === 'multiplier' ? 'mult' : modes.find((known) => known === parts.at(-3))
  const value = readValue(parts.at(-2))
  const direction = directions.find((known) => known === parts.at(-1))
  const followers = parts.slice(0, -3)
  if (!(mode && value && direction)) return undefined
  if (followers.length === 0 || ![master, ...followers].every(isLogin)) return undefined
  return followers.map((follower) => ({
    master: BigInt(master),
    follower: BigInt(follower),
    mode,
    value,
    direction,
  }))
}

/** The rules of one value in the alternative syntax: `Master;Follower1,...;mode;value;direction`. */
export function parseCopyWithSemicolons(text: string): readonly Rule[] | undefined {
  const [master, followers, ...terms] = text.split(';')
  return text.includes('>') ? undefined : parseCopy(`${master}>${followers},${terms.join(',')}`)
}

/** A value without the spaces around its parts. */
export function withoutCopySpaces(text: string): string {
  return text.trim().replace(/\s*([>,;])\s*/g, '$1')
}

function isLogin(text: string): boolean {
  return loginPattern.test(text) && BigInt(text) > 0n && BigInt(text) <= largestLogin
}

function readValue(text = ''): number | undefined {
  const value = valuePattern.test(text) ? Number(text) : 0
  return value > 0 && Number.isFinite(value) ? value : undefined
}
