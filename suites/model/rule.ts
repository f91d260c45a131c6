/** A login in JSON; `bigint` only beyond the range of a double. */
export type Login = number | bigint

/** The content of a rule, as sent by a client. */
export interface Draft {
  readonly master: Login
  readonly follower: Login
  readonly mode: string
  readonly value: number
  readonly direction: string
}

/** A rule as the server lists it. */
export interface Rule extends Draft {
  readonly index: number
}

const aliases: Readonly<Record<string, string>> = { multiplier: 'mult' }

export type Logins = Pick<Draft, 'master' | 'follower'>

/** The accounts that a rule links, like `1001>2001`. */
export function loginsOf({ master, follower }: Logins): string {
  return `${master}>${follower}`
}

/** Whether the rules link the same accounts. A wrong server may list a login as a string. */
export function haveSameLogins(one: Logins, other: Logins): boolean {
  return loginsOf(one) === loginsOf(other)
}

/**
 * Whether two rules have the same content, with any index. Values are compared to six significant
 * digits, because a server may store them as 32-bit floats.
 */
export function sameContent(a: Draft, b: Draft): boolean {
  return (
    a.master === b.master &&
    a.follower === b.follower &&
    (aliases[a.mode] ?? a.mode) === (aliases[b.mode] ?? b.mode) &&
    a.direction === b.direction &&
    sameToSixDigits(a.value, b.value)
  )
}

export function sameToSixDigits(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b))
}

export const ruleFields = ['master', 'follower', 'mode', 'value', 'direction'] as const

/** Whether two rules have exactly the same content, with any index. */
export function isEqual(one: Draft, other: Draft | undefined): boolean {
  return one === other || ruleFields.every((field) => one[field] === other?.[field])
}

/** Whether two lists have the same rules in the same order, with the same indices. */
export function isSameList(one: readonly Rule[], other: readonly Rule[]): boolean {
  return (
    one.length === other.length && one.every((rule, at) => isEqual(rule, other[at]) && rule.index === other[at]?.index)
  )
}

export function contentOf(rule: Draft & { readonly index?: number }): Draft {
  const { index: _, ...content } = rule
  return content
}

/** One line for messages, e.g. `#3 1001>2001 mult 1.5 same`. */
export function describeRule(rule: Draft & { readonly index?: number }): string {
  const position = rule.index === undefined ? '' : `#${rule.index} `
  return `${position}${rule.master}>${rule.follower} ${rule.mode} ${rule.value} ${rule.direction}`
}

/** The content as a comparable line, with the value to six significant digits like `sameContent`. */
export function contentLine({ master, follower, mode, value, direction }: Draft): string {
  return describeRule({ master, follower, mode, value: Number(Number(value).toPrecision(6)), direction })
}
