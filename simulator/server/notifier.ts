export function createNotifier<Value = void>() {
  const listeners = new Set<(value: Value) => void>()
  return {
    /** Calls every listener, and then throws the first error of one. */
    notify: (value: Value): void => {
      const errors: unknown[] = []
      for (const listener of listeners) {
        try {
          listener(value)
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
    /** Returns a function that ends the subscription. */
    subscribe: (listener: (value: Value) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
