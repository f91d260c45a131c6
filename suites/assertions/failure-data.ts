/** A value that can be sent as a message and written as JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** The facts of a failure. All of them are for people, except `difference`. */
export interface FailureData {
  /** Left out where the code alone says it. */
  readonly expected?: Json | undefined
  /** Left out where nothing was there. */
  readonly actual?: Json | undefined
  /**
   * How what was there differs, without anything that changes from run to run: no login, index, count,
   * port or random value. With the code it distinguishes this failure from others of the same check.
   */
  readonly difference: Json
  /** The seed, where the failure was found at random. */
  readonly seed?: number | undefined
  /** What happened right before, where a check tries several things. */
  readonly after?: string | undefined
  /** What else the text names. */
  readonly [name: string]: Json | undefined
}

/** `value` as JSON holds it: a `bigint` as its digits; undefined where there is nothing. */
export function toJsonValue(value: unknown): Json | undefined {
  const text = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
  return text === undefined ? undefined : (JSON.parse(text) as Json)
}

/** A part of a list of lines, with the number of all of them. */
export interface Excerpt {
  readonly length: number
  /** The place of the first line that is shown. */
  readonly from: number
  readonly lines: readonly string[]
}

export function isExcerpt(value: Json): value is Json & Excerpt {
  return typeof value === 'object' && value !== null && 'length' in value && 'from' in value && 'lines' in value
}

/** A list can be thousands of rules long; only the place where it differs is shown. */
export function excerptAround(lines: readonly string[], at: number): Json & Excerpt {
  const from = Math.max(0, at - 2)
  return { length: lines.length, from, lines: lines.slice(from, at + 4) }
}
