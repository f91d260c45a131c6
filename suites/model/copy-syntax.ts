import { type Draft, ruleFields } from './rule.ts'

/**
 * The syntax of a `Copy_N` value according to public facts. The specification does not define it.
 * `{followers}` stands for one or more logins with commas between them, `{follower}` for exactly one.
 */
export const publicCopySyntax = '{master}>{followers},{mode},{value},{direction}'

const places = /\{(master|followers?|mode|value|direction)\}/g

/** Whether a syntax has a place for every field of a rule. */
export function isCopySyntax(syntax: string): boolean {
  const found = [...syntax.matchAll(places)].map(([, name]) => name?.replace(/s$/, ''))
  return ruleFields.every((field) => found.includes(field))
}

export function takesFollowers(syntax: string): boolean {
  return syntax.includes('{followers}')
}

/** A rule as a `Copy_N` value, with more followers if the syntax allows them. */
export function copyValue(syntax: string, rule: Draft, ...further: readonly Draft['follower'][]): string {
  const followers = [rule.follower, ...further].join(',')
  const fields: Readonly<Record<string, unknown>> = { ...rule, followers }
  return syntax.replace(places, (_, name: string) => String(fields[name]))
}

/** The `Copy_N` parameters that create these rules, by name. */
export function copyOf({ copySyntax }: { readonly copySyntax: string }, rules: Readonly<Record<string, Draft>>) {
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, copyValue(copySyntax, rule)]))
}
