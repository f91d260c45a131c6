import { checkNames } from './check-option.ts'

/** @throws UnknownOptionError for an unknown hook, which would otherwise have no effect */
export function overrideHooks<Hooks extends object>(hooks: Hooks, override?: (hooks: Hooks) => Partial<Hooks>): Hooks {
  const overridden = override?.(hooks) ?? {}
  checkNames(overridden, hooks, 'override')
  return { ...hooks, ...overridden }
}
