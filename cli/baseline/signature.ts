import { createHash } from 'node:crypto'
import type { ReportedCheck } from '../../reports/report.ts'

/** What a signature is made of. */
export type SignedFailure = Pick<ReportedCheck, 'id' | 'code' | 'data'>

/**
 * Twelve hexadecimal digits that stay the same while a check fails in the same way, whatever the
 * seed, the port or the rules of the target are, and change when it fails in another way. No text
 * that is rendered for people has a part in it.
 */
export function signatureOf({ id, code, data }: SignedFailure): string {
  if (data?.seed !== undefined) return randomSignature(id)
  return hashOf([id, code, data?.difference ?? null])
}

/**
 * The signature of a failure that was found at random. With another seed the check may meet another
 * failure or none; only that it failed can be compared.
 */
export function randomSignature(id: string): string {
  return hashOf([id])
}

function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
}
