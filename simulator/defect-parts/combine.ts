/** What a defect replaces, given the correct hooks of a simulator, and what identifies it across restarts. */
type Replace<Hooks> = (hooks: Hooks, server?: object) => Partial<Hooks>

const observers = new WeakSet<object>()

/** Marks hooks that only observe: they can be combined with any other override of the same hook. */
export function onlyObserving<Observing extends object>(hooks: Observing): Observing {
  for (const hook of Object.values(hooks)) if (typeof hook === 'function') observers.add(hook)
  return hooks
}

/** Two overrides, by their positions, that replace the same hook. */
export interface SharedHook {
  readonly hook: string
  readonly one: number
  readonly other: number
}

/**
 * Combines several overrides into one: each gets the hooks of the previous ones as the correct ones.
 * @param onShared called for each hook that two of them replace: the second may hide the first
 */
export function combine<Hooks extends object>(
  overrides: readonly Replace<Hooks>[],
  onShared: (shared: SharedHook) => void = () => undefined,
): Replace<Hooks> {
  return (right, server) => {
    const replacedBy = new Map<string, number>()
    let replaced: Partial<Hooks> = {}
    for (const [other, override] of overrides.entries()) {
      const before: Hooks = { ...right, ...replaced }
      const own = override(before, server)
      for (const hook of Object.keys(own) as (keyof Hooks & string)[]) {
        const isObserver = typeof own[hook] === 'function' && observers.has(own[hook])
        if (own[hook] === before[hook] || isObserver) continue
        const one = replacedBy.get(hook)
        if (one !== undefined) onShared({ hook, one, other })
        replacedBy.set(hook, other)
      }
      replaced = { ...replaced, ...own }
    }
    return replaced
  }
}
