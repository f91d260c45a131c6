import { InvalidOptionError } from './invalid-option-error.ts'

/** @throws InvalidOptionError */
export function checkPort(name: string, port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidOptionError(name, 'an integer from 0 to 65535')
}
