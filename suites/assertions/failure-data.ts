/** A value that can be posted to another thread and written as JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** The facts of a failure. All except `difference` are for people. Other names are those in its text. */
export interface FailureData {
  /** Omitted if the code says it. */
  readonly expected?: Json | undefined
  /** Omitted if there was nothing. */
  readonly actual?: Json | undefined
  /**
   * How the actual value differs, without anything that changes from run to run: no login, index, count, port or random
   * value. Together with the code it distinguishes this failure from others of the same check.
   */
  readonly difference: Json
  /** The seed, if the failure was found at random. */
  readonly seed?: number | undefined
  /** What happened immediately before, if a check tries several things. */
  readonly after?: string | undefined
  readonly [name: string]: Json | undefined
}

/** `value` as JSON, a `bigint` as a string of its digits; undefined for no value. */
export function toJsonValue(value: unknown): Json | undefined {
  const text = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
  return text === undefined ? undefined : (JSON.parse(text) as Json)
}

/** A part of a list of lines, with the number of all lines. */
export interface Excerpt {
  readonly length: number
  /** The position of the first line shown. */
  readonly from: number
  readonly lines: readonly string[]
}

export function isExcerpt(value: Json): value is Json & Excerpt {
  return typeof value === 'object' && value !== null && 'length' in value && 'from' in value && 'lines' in value
}

/** The lines around a difference: a list can be thousands of rules long. */
export function excerptAround(lines: readonly string[], at: number): Json & Excerpt {
  const from = Math.max(0, at - 2)
  return { length: lines.length, from, lines: lines.slice(from, at + 4) }
}
