export function createNotifier<Value = void>() {
  const listeners = new Set<(value: Value) => void>()
  return {
    notify: (value: Value): void => {
      for (const listener of listeners) listener(value)
    },
    /** Returns a function that ends the subscription. */
    subscribe: (listener: (value: Value) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
