/** What a defect replaces, given the correct hooks of a simulator, and what identifies it across restarts. */
type Replace<Hooks> = (hooks: Hooks, server?: object) => Partial<Hooks>

const observers = new WeakSet<object>()

/** What a call of each hook tells about a server, from its result and its arguments. */
type Facts<Hooks, Known> = {
  readonly [Name in keyof Hooks]?: Hooks[Name] extends (...given: infer Given) => infer Result
    ? (result: Result, ...given: Given) => Partial<Known>
    : never
}

/**
 * Hooks that do what the given ones do, and then note in `known` what the call tells. They can be combined with any
 * other override of the same hook.
 */
export function observing<Hooks extends object, Known extends object>(
  hooks: Hooks,
  known: Known,
  facts: Facts<Hooks, Known>,
): Partial<Hooks> {
  const observed = Object.entries(facts).map(([name, factsOf]) => {
    const observer = (...given: readonly unknown[]): unknown => {
      const result: unknown = Reflect.apply(hooks[name as keyof Hooks] as () => unknown, undefined, given)
      Object.assign(known, (factsOf as (...call: readonly unknown[]) => Partial<Known>)(result, ...given))
      return result
    }
    observers.add(observer)
    return [name, observer]
  })
  return Object.fromEntries(observed) as Partial<Hooks>
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
