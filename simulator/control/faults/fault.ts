import type { WriteStep } from '../../storage/stored-file.ts'

/**
 * What a fault does to a request that it is played on. The last four are faults of the store: they
 * wait for the rules file to be written, and of a request have what the other faults leave.
 */
export type Effect =
  /** Answers in place of the plugin, which never sees the request. */
  | {
      readonly kind: 'answer'
      readonly status: number
      /** A text is sent as it is, anything else as JSON, a bigint as a numeral. Default: `{ "error": "fault" }`. */
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Lets the request wait before the plugin sees it. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Sends the plugin's answer byte by byte, with a pause after each. */
  | { readonly kind: 'slow-body'; readonly msPerByte: number }
  /** Sends the plugin's answer up to the middle of its body, then closes. */
  | { readonly kind: 'truncate' }
  /** Sends the plugin's answer in chunks, one of which has no length. */
  | { readonly kind: 'bad-chunk' }
  /** Does what was asked for, then resets the connection in place of the answer. */
  | { readonly kind: 'lose-answer' }
  /** Resets the connection; the plugin never sees the request. */
  | { readonly kind: 'reset' }
  /** Closes the connection without a byte; the plugin never sees the request. */
  | { readonly kind: 'empty' }
  /** Sends bytes that are no HTTP; the plugin never sees the request. */
  | { readonly kind: 'garbage' }
  /** Never answers; the plugin never sees the request. */
  | { readonly kind: 'hang' }
  /** The disk is full while the rules file is written (ENOSPC). */
  | { readonly kind: 'disk-full' }
  /** The rules file may not be written (EACCES). */
  | { readonly kind: 'permission-denied' }
  /** Half of the rules file is written in its place, and the plugin dies. */
  | { readonly kind: 'torn-write' }
  /** The plugin dies at this step of writing the rules file; `after-rename` is before the answer. */
  | { readonly kind: 'crash'; readonly at: WriteStep }

/** Which requests a fault is for. What is left out matches anything. */
export interface When {
  /** E.g. `POST`. */
  readonly method?: string
  /** Glob over the path, without the query: `/api/rules/*`. */
  readonly path?: string
  /** Regular expression that the path must match somewhere: `^/api/rules/\\d+$`. */
  readonly pathPattern?: string
  /** Members that the JSON body must have, with these values; a login beyond 2^53 as a bigint. */
  readonly body?: Readonly<Record<string, unknown>>
}

export type EffectKind = Effect['kind']

/** A way of misbehaving, on demand. */
export interface Fault {
  /** Default: `fault-1`, `fault-2`, … */
  readonly id?: string
  readonly when?: When
  /** How many matching requests go by first; of the store: those that write the file. Default: 0. */
  readonly skip?: number
  /** How many times it is played at most. Default: no limit. */
  readonly times?: number
  /** From 0 to 1, drawn anew for each request that is left after `skip` and `times`. Default: 1. */
  readonly probability?: number
  /** Of the draws: the same seed, the same draws. Default: 1. */
  readonly seed?: number
  readonly effect: Effect
}

/** A fault as it stands in the list. */
export interface ListedFault extends Fault {
  readonly id: string
  /** How many requests matched it; of the store: those that wrote the file. */
  readonly matched: number
  /** How many times it was played. */
  readonly played: number
}
