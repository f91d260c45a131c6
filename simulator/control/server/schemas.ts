import { z } from 'zod'
import { directions, modes } from '../../plugin/model/rule.ts'
import { crashSteps, maxMs } from '../faults/check-fault.ts'
import type { Effect, Fault } from '../faults/fault.ts'

/** What the endpoints take. Names that are not known are refused: they are most often misspelt. */

const count = z.int().min(0).max(maxMs)
const login = z.union([z.int(), z.bigint()], { error: 'expected a whole number' })

const rule = z.strictObject({
  master: login,
  follower: login,
  mode: z.enum(modes),
  value: z.number(),
  direction: z.enum(directions),
})

export const rules = z.strictObject({ rules: z.array(rule) })
export const parameters = z.strictObject({ parameters: z.record(z.string(), z.string()) })
export const capacity = z.strictObject({ capacity: count })
export const license = z.strictObject({ active: z.boolean() })
export const between = z.strictObject({ deleteRulesFile: z.boolean().exactOptional() })
export const restart = z.strictObject({
  how: z.enum(['graceful', 'crash']).exactOptional(),
  deleteRulesFile: z.boolean().exactOptional(),
  parameters: z.record(z.string(), z.string()).exactOptional(),
})
const date = z.iso.datetime({ offset: true })
export const moment = z.strictObject({ at: date.exactOptional() })
export const advance = z.strictObject({ ms: z.int() })
export const nothing = z.strictObject({})

export const newKey = z.strictObject({
  name: z.string().exactOptional(),
  expiresAt: date.exactOptional(),
  live: z.boolean().exactOptional(),
})
export const restartPlatform = z.strictObject({ how: z.enum(['graceful', 'crash']).exactOptional() })

const plain = (
  [
    'truncate',
    'bad-chunk',
    'lose-answer',
    'reset',
    'empty',
    'garbage',
    'hang',
    'disk-full',
    'permission-denied',
    'torn-write',
  ] as const
).map((kind) => z.strictObject({ kind: z.literal(kind) }))

const effect: z.ZodType<Effect> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('answer'),
    status: z.int().min(200).max(599),
    body: z.unknown().exactOptional(),
    headers: z.record(z.string(), z.string()).exactOptional(),
  }),
  z.strictObject({ kind: z.literal('delay'), ms: count }),
  z.strictObject({ kind: z.literal('slow-body'), msPerByte: count }),
  z.strictObject({ kind: z.literal('crash'), at: z.enum(crashSteps) }),
  ...plain,
])

export const fault: z.ZodType<Fault> = z.strictObject({
  id: z.string().min(1).max(100).exactOptional(),
  when: z
    .strictObject({
      method: z.string().exactOptional(),
      path: z.string().exactOptional(),
      pathPattern: z.string().exactOptional(),
      body: z.record(z.string(), z.unknown()).exactOptional(),
    })
    .exactOptional(),
  skip: count.exactOptional(),
  times: count.exactOptional(),
  probability: z.number().min(0).max(1).exactOptional(),
  seed: z.int().exactOptional(),
  effect,
})

export const faults = z.strictObject({ faults: z.array(fault) })

const whole = z
  .string()
  .regex(/^\d{1,9}$/, 'expected a whole number')
  .transform(Number)

const filter = {
  method: z.string().exactOptional(),
  path: z.string().exactOptional(),
  status: z
    .string()
    .regex(/^(\d{3}|none)$/, 'expected a status such as 404, or none')
    .transform((text) => (text === 'none' ? null : Number(text)))
    .exactOptional(),
  operation: z.string().exactOptional(),
  because: z.string().exactOptional(),
  fault: z.string().exactOptional(),
  after: whole.exactOptional(),
}

export const entries = z.strictObject({ ...filter, limit: whole.exactOptional() })
export const counted = z.strictObject(filter)
export const wait = z.strictObject({ ...filter, count: whole, timeoutMs: whole.exactOptional() })
