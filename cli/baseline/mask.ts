import { defaultLogins } from '../../suites/session/logins.ts'

/** A text of this length may have been cut by the check, at a place that depends on the numbers in it. */
const cutLength = 300

/** How much of such a text counts once it is masked. */
const sureLength = 120

const number = String.raw`-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`

/** In this order: each replacement works on what the ones before it have left. */
const replacements: readonly (readonly [pattern: RegExp, by: string])[] = [
  // Layout, which a server may change with the width of a number.
  [/\s+/g, ' '],
  [/\s*([{}[\],:])\s*/g, '$1'],
  // Request ids, hashes, times of day and dates.
  [/\b(?=[\da-f-]*\d)[\da-f-]{8,}\b/gi, '#'],
  [/\b(?=\w*\d)(?=\w*[a-z])[\w-]{16,}\b/gi, '#'],
  // Every number but a status code: ports, logins, indices, counts, durations.
  [new RegExp(`(?<!status (?:is )?)(?<!\\d)${number}`, 'gi'), '#'],
  // The words of a rule that are drawn by lot.
  [/(?<=#># )(?:mult|fixed)\b/g, 'mode'],
  [/(?<=#># \S+ \S+ )(?:same|reverse)\b/g, 'direction'],
  [/(?<="mode":)"(?:mult|fixed)"/g, 'mode'],
  [/(?<="direction":)"(?:same|reverse)"/g, 'direction'],
  [/(?<="direction":)"(?:SAME|REVERSE)"/g, 'DIRECTION'],
]

/** How many of them there are depends on the target's list. */
const sameObjects = /(\{[^{}]*\})(?:,\1)+/g

/** The text without what differs from run to run while the fault stays the same. */
export function maskVolatile(text: string): string {
  const masked = replacements.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text)
  const sure = text.length < cutLength ? masked : masked.slice(0, sureLength)
  return sure.replace(sameObjects, '$1')
}

/** A whole text that is one number; null for any other. */
export function soleNumber(text: string): number | null {
  return new RegExp(`^${number}$`, 'i').test(text) ? Number(text) : null
}

/** Whether a number can be one of the kit's logins, which are dealt out in turn. */
export function isKitLogin(value: number): boolean {
  return value >= defaultLogins.from && value <= defaultLogins.to
}
