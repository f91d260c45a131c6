export type Mode = 'mult' | 'fixed'
export type Direction = 'same' | 'reverse'

/** One copy rule. Its position belongs to the list (clause 2.3). */
export interface Rule {
  /** Login of the master account. A bigint, since the trading platform stores unsigned 64-bit logins. */
  readonly master: bigint
  readonly follower: bigint
  readonly mode: Mode
  /** Multiplier (`mult`) or lot size (`fixed`). */
  readonly value: number
  readonly direction: Direction
}

export const ruleMembers: readonly string[] = ['master', 'follower', 'mode', 'value', 'direction']
export const modes: readonly Mode[] = ['mult', 'fixed']
export const directions: readonly Direction[] = ['same', 'reverse']

/** Whether both rules copy the same master to the same follower. */
export function samePair(one: Rule, other: Rule): boolean {
  return one.master === other.master && one.follower === other.follower
}

/** Whether the two rules are equal in all five fields. */
export function sameContent(one: Rule, other: Rule): boolean {
  return (
    samePair(one, other) && one.mode === other.mode && one.value === other.value && one.direction === other.direction
  )
}
