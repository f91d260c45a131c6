import { Refusal } from '../server/refusal.ts'

/** Refuses with this status, as a seam that is to throw. */
export function refuse(status: number, message: string): never {
  throw new Refusal(status, message)
}
