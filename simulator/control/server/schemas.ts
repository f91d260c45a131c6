import { z } from 'zod'
import { directions, modes } from '../../plugin/model/rule.ts'
import { count, type Fault, faultSchema } from '../faults/fault.ts'

/** The input of each endpoint. Unknown members are rejected, since most of them are misspelt. */

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

export const fault: z.ZodType<Fault> = faultSchema
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
