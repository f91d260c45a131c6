import { z } from 'zod'
import { writeSteps } from '../../storage/stored-file.ts'
import { describeIssues, nearestMember, unknownKind } from '../describe-issues.ts'

/** The longest time that a timer of Node can wait. */
export const maxMs = 2 ** 31 - 1

/** A number of requests or of milliseconds. */
export const count = z.int().min(0).max(maxMs)

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/)
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'expected characters that a header can carry')

/**
 * The effect of a fault. The last four are store faults: they take effect when the rules file is written, unless
 * another fault was played on that request.
 */
const effects = [
  /** Sends this response. The plugin never sees the request. */
  z.strictObject({
    kind: z.literal('answer'),
    status: z.int().min(200).max(599),
    /** A string is sent unchanged, anything else as exact JSON. Default: `{ "error": "fault" }`. */
    body: z.unknown().optional(),
    headers: z.record(headerName, headerValue).optional(),
  }),
  /** Delays the request before the plugin sees it. */
  z.strictObject({ kind: z.literal('delay'), ms: count }),
  /** Sends the response of the plugin byte by byte, with a pause after each byte. */
  z.strictObject({ kind: z.literal('slow-body'), msPerByte: count }),
  /** Sends the response of the plugin up to the middle of its body, then closes the connection. */
  z.strictObject({ kind: z.literal('truncate') }),
  /** Sends the response of the plugin in chunks, one of which has an invalid length. */
  z.strictObject({ kind: z.literal('bad-chunk') }),
  /** Carries out the request, then resets the connection instead of sending the response. */
  z.strictObject({ kind: z.literal('lose-answer') }),
  /** Resets the connection. The plugin never sees the request. */
  z.strictObject({ kind: z.literal('reset') }),
  /** Closes the connection without sending a byte. The plugin never sees the request. */
  z.strictObject({ kind: z.literal('empty') }),
  /** Sends bytes that are not HTTP. The plugin never sees the request. */
  z.strictObject({ kind: z.literal('garbage') }),
  /** Never responds. The plugin never sees the request. */
  z.strictObject({ kind: z.literal('hang') }),
  /** The disk is full when the rules file is written (ENOSPC). */
  z.strictObject({ kind: z.literal('disk-full') }),
  /** Writing the rules file is not permitted (EACCES). */
  z.strictObject({ kind: z.literal('permission-denied') }),
  /** Half of the rules file is written in place, and the plugin crashes. */
  z.strictObject({ kind: z.literal('torn-write') }),
  /** The plugin crashes at this step of writing the rules file; `after-rename` is before the response. */
  z.strictObject({ kind: z.literal('crash'), at: z.enum(writeSteps) }),
] as const

const effect = z.discriminatedUnion('kind', effects, { error: unknownKind })

/** The requests that a fault matches. A member that is left out matches every request. */
const when = z.strictObject({
  /** E.g. `POST`. */
  method: z.string().optional(),
  /** Glob over the path, without the query: `/api/rules/*`. */
  path: z.string().max(1_000).optional(),
  /** Regular expression that must match a part of the path: `^/api/rules/\\d+$`. */
  pathPattern: z
    .string()
    .refine(isRegularExpression, 'expected a regular expression; escape special characters, as in ^/api/rules/\\d+$')
    .optional(),
  /** Members that the JSON body must have, with these values. Write a login beyond 2^53 as a bigint. */
  body: z.record(z.string(), z.unknown()).optional(),
})

/** One way in which the simulator misbehaves on request. */
const faultSchema = z.strictObject({
  /** Default: `fault-1`, `fault-2`, … */
  id: z.string().min(1).max(100).optional(),
  when: when.optional(),
  /** How many matching requests are served first; store faults count those that write the file. Default: 0. */
  skip: count.optional(),
  /** The maximum number of times that the fault is played. Default: no limit. */
  times: z
    .union([count, z.literal(Number.POSITIVE_INFINITY)], { error: 'expected a whole number of at least 0' })
    .optional(),
  /** From 0 to 1, drawn for each request that is left after `skip` and `times`. Default: 1. */
  probability: z.number().min(0).max(1).optional(),
  /** Seed of the random draws. Default: 1. */
  seed: z.int().optional(),
  effect,
})

export type Effect = Readonly<z.infer<typeof effect>>
export type EffectKind = Effect['kind']
export type When = Readonly<z.infer<typeof when>>
export type Fault = Readonly<z.infer<typeof faultSchema>>

/** A fault in the list of a simulator. */
export interface ListedFault extends Fault {
  readonly id: string
  /** How many requests matched it. Store faults count those that wrote the file. */
  readonly matched: number
  /** How many times it was played. */
  readonly played: number
}

/** A fault has invalid members. */
export class InvalidFaultError extends Error {
  override readonly name = 'InvalidFaultError'
  readonly hint = 'Correct the members that the message names.'
}

/** Accepts a listed fault too, since it can be added again. Its counts begin again. */
export const givenFaultSchema = faultSchema.extend({ matched: count.optional(), played: count.optional() })

/** @throws InvalidFaultError */
export function checkFault(fault: Fault | ListedFault): void {
  const { error } = givenFaultSchema.safeParse(fault, { error: nearestMember })
  if (error !== undefined) throw new InvalidFaultError(describeIssues(error.issues))
}

function isRegularExpression(pattern: string): boolean {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}
