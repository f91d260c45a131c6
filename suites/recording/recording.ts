import { isUtf8 } from 'node:buffer'
import type { Risk } from '../engine/check.ts'
import type { RawResult } from '../http/raw.ts'
import type { LoginRange } from '../session/logins.ts'
import type { Rule } from '../vocabulary/rule.ts'

export const recordingSchema = 'copytrade-tck/recording@1'

/** Everything that the requests of a run follow from but the server; secrets already redacted. */
export interface RecordedRun {
  readonly schema: typeof recordingSchema
  readonly kit: { readonly name: string; readonly version: string; readonly requirementsVersion: string }
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly url: string
  readonly plugin: { readonly name: string; readonly version: string } | null
  /** The list as it was found; null where it could not be read. */
  readonly before: readonly Rule[] | null
  readonly risk: Risk
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly capacity: number | null
  readonly maxFill: number
  readonly seed: number
  readonly thorough: number
  readonly logins: LoginRange
  readonly timeoutMs: number
  /** What a stand-in for the key must have in common with it, so that as many keys resemble it. */
  readonly key: KeyTraits
}

export interface KeyTraits {
  readonly length: number
  readonly wrongKeys: number
  /** See `likenessOf`. Left out by earlier kits. */
  readonly likeness?: string
}

/** Bytes with every secret taken out: as text where they are UTF-8, or else in base64. */
export type RecordedBytes = { readonly text: string } | { readonly base64: string }

export interface RecordedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: RecordedBytes
}

/** One request by the ordinary client. */
export interface RecordedExchange {
  readonly kind: 'exchange'
  readonly check: string
  /** Counted in the order of sending. */
  readonly number: number
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: RecordedBytes | null
  }
  /** A text says why there was no answer. */
  readonly outcome: RecordedAnswer | string
}

/** Bytes that were written to a bare connection, and all that came back. */
export interface RecordedRaw {
  readonly kind: 'raw'
  readonly check: string
  readonly number: number
  readonly bytes: readonly RecordedBytes[]
  readonly answers: readonly RecordedAnswer[]
  readonly end: RawResult['end']
}

/** A line of a recording. The first is the run, the last one its end. */
export type RecordingLine =
  | ({ readonly kind: 'run' } & RecordedRun)
  | { readonly kind: 'check'; readonly check: string; readonly drafts: number }
  | RecordedExchange
  | RecordedRaw
  | { readonly kind: 'end'; readonly harm: unknown }

/** Bytes as a recording keeps them. */
export function keepBytes(bytes: Uint8Array, redact: (text: string) => string): RecordedBytes {
  if (isUtf8(bytes)) return { text: redact(Buffer.from(bytes).toString()) }
  return { base64: Buffer.from(redact(Buffer.from(bytes).toString('latin1')), 'latin1').toString('base64') }
}

/** The bytes again, with a stand-in where the key was. */
export function bytesFrom(kept: RecordedBytes, standIn: string): Buffer {
  if ('base64' in kept) return Buffer.from(kept.base64, 'base64')
  return Buffer.from(withStandIn(kept.text, standIn))
}

export function withStandIn(text: string, standIn: string): string {
  return text.replaceAll('[redacted]', standIn)
}

export function redactValues(
  values: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [redact(name), redact(String(value))]))
}
