import { InvalidOptionError } from './invalid-option-error.ts'

/** @throws InvalidOptionError */
export function checkCount(name: string, count: number): number {
  if (Number.isInteger(count) && count >= 0) return count
  throw new InvalidOptionError(name, 'an integer of at least 0')
}
