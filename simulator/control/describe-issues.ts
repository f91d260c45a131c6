import type { z } from 'zod'
import { didYouMean } from '../documents/nearest.ts'

/** Lists the wrong members with the reason, e.g. `effect.ms: Invalid input: expected number, received undefined`. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`))
    .join('; ')
}

/** For zod's `error` option: names the known member nearest to an unknown one. */
export function nearestMember({ code, inst, keys }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys') return undefined
  const known = Object.keys((inst as z.ZodObject | undefined)?.shape ?? {})
  return (keys as readonly string[]).map((key) => `there is no member "${key}".${didYouMean(key, known)}`).join(' ')
}

/** The same for a discriminated union. */
export function unknownKind({ code, input, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'invalid_union') return undefined
  const { kind } = (input ?? {}) as { readonly kind?: unknown }
  const { options } = inst as unknown as { readonly options: readonly z.ZodObject<{ kind: z.ZodLiteral<string> }>[] }
  const known = options.map(({ shape }) => shape.kind.value)
  if (typeof kind !== 'string') return `give one of: ${known.join(', ')}`
  return `there is no kind "${kind}".${didYouMean(kind, known)} Use one of: ${known.join(', ')}`
}
