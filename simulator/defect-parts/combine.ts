/** What a defect replaces, given the correct hooks of a simulator, and what identifies it across restarts. */
type Replace<Hooks> = (hooks: Hooks, server?: object) => Partial<Hooks>

/** What a call of each hook tells about a server, from its result and its arguments. */
type Facts<Hooks, Known> = {
  readonly [Name in keyof Hooks]?: Hooks[Name] extends (...given: infer Given) => infer Result
    ? (result: Result, ...given: Given) => Partial<Known>
    : never
}

/** Hooks that do what the given ones do, and then note in `known` what the call tells. */
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
    return [name, observer]
  })
  return Object.fromEntries(observed) as Partial<Hooks>
}

/** Combines several overrides into one: each gets the hooks of the previous ones as the correct ones. */
export function combine<Hooks extends object>(overrides: readonly Replace<Hooks>[]): Replace<Hooks> {
  return (right, server) => {
    const replaced: Partial<Hooks> = {}
    for (const override of overrides) Object.assign(replaced, override({ ...right, ...replaced }, server))
    return replaced
  }
}
