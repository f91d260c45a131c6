import { InvalidArgumentError } from 'commander'
import { isCopySyntax, publicCopySyntax } from '../../suites/model/copy-syntax.ts'
import type { LoginRange } from '../../suites/session/logins.ts'
import type { Shard } from '../fleet-document.ts'

/** A parser for a whole number of at least `least` (and at most `most`). */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
    throw new InvalidArgumentError(`Give a whole number ${range}.`)
  }
}

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** A time like `30s` or `15m`, at least a second and at most a day. Returns milliseconds. */
export function duration(text: string): number {
  const [count = '', unit = ''] = /^(\d+)(ms|s|m|h)$/.exec(text)?.slice(1) ?? []
  const milliseconds = Number(count) * unitsMs[unit as keyof typeof unitsMs]
  if (milliseconds >= unitsMs.s && milliseconds <= 24 * unitsMs.h) return milliseconds
  throw new InvalidArgumentError('Give a time from `1s` to `24h`, like `30s` or `15m`.')
}

/** A parser for an option that can be repeated. */
export function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text]
}

/** A parser that rejects an empty string, which an unset variable in a CI job yields. */
export function notEmpty(example: string): (text: string) => string {
  return matching(/\S/, `Give a value that is not empty, like \`${example}\`.`)
}

export const notEmptyPath = matching(/\S/, 'Give a path that is not empty.')

/** A parser for globs that can be repeated. @throws {InvalidArgumentError} for an empty one */
export function globs(text: string, before: readonly string[]): readonly string[] {
  return collect(notEmpty('plugin.delete.*')(text), before)
}

/** A parser for globs of paths in a body. @throws {InvalidArgumentError} for one without the slash at its start */
export function bodyPaths(text: string, before: readonly string[]): readonly string[] {
  return collect(matching(/^[^\w.]/, 'Give a path from the root of the body, like `/uptime`.')(text), before)
}

/** A parser for a template with a placeholder for each field of a rule. */
export function copySyntax(text: string): string {
  if (isCopySyntax(text)) return text
  throw new InvalidArgumentError(`Give a template with a place for each field, like \`${publicCopySyntax}\`.`)
}

/** The checks identify rules by pairs of logins, and need enough pairs to fill a list. */
const minLogins = 12

/** Parses `900000000-900000999`. */
export function loginRange(text: string): LoginRange {
  const [from, to] = (/^(\d+)-(\d+)$/.exec(text)?.slice(1) ?? []).map(Number)
  if (from === undefined || to === undefined || from < 1 || to - from + 1 < minLogins || !Number.isSafeInteger(to)) {
    throw new InvalidArgumentError(`Give a range of at least ${minLogins} logins, like \`900000000-900000999\`.`)
  }
  return { from, to }
}

function matching(pattern: RegExp, advice: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text
    throw new InvalidArgumentError(advice)
  }
}

export const vendor = matching(
  /^[A-Za-z0-9-]+$/,
  'Use letters, digits and hyphens, like `Example` for `X-Example-Signature`.',
)
export const urlPath = matching(/^\/[\x21-\x7e]+$/, 'Give a path like `/v1/trading-accounts`.')
export const currencyCode = matching(/^[A-Z]{3}$/, 'Give three capital letters like `EUR`.')

/** Reads `2/5`. @throws {InvalidArgumentError} */
export function parseShard(text: string): Shard {
  const [index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text)?.slice(1) ?? []).map(Number)
  if (index >= 1 && index <= count) return { index, count }
  throw new InvalidArgumentError('Give a part and the number of parts, like `2/5`.')
}
