import { hash } from 'node:crypto'
import type { ReportedCheck } from '../../reports/report.ts'

/**
 * Twelve hexadecimal digits that identify how a check fails, independent of the seed, the port and the rules of the
 * target. Rendered texts are not part of it.
 */
export function signatureOf({ id, code, data }: Pick<ReportedCheck, 'id' | 'code' | 'data'>): string {
  if (data?.seed !== undefined) return randomSignature(id)
  return hashOf([id, code, data?.difference ?? null])
}

/** For a failure found at random. With another seed the check may fail in another way or pass. */
export function randomSignature(id: string): string {
  return hashOf([id])
}

export function hashOf(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, 12)
}
