import { nearest } from '../documents/nearest.ts'
import { InvalidOptionError } from './check-option.ts'

/** @throws InvalidOptionError for an unknown hook, which would otherwise have no effect */
export function overrideHooks<Hooks extends object>(hooks: Hooks, override?: (hooks: Hooks) => Partial<Hooks>): Hooks {
  const overridden = override?.(hooks) ?? {}
  const known = Object.keys(hooks)
  const unknown = Object.keys(overridden).find((name) => !known.includes(name))
  if (unknown === undefined) return { ...hooks, ...overridden }
  const meant = nearest(unknown, known)
  const suggestion = meant === undefined ? '' : `, the nearest is "${meant}"`
  throw new InvalidOptionError('override', `an object of known hooks ("${unknown}" is unknown${suggestion})`)
}
