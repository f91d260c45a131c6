export interface Notifier<Value = void> {
  readonly notify: (value: Value) => void
  /** Returns a function that ends the subscription. */
  readonly subscribe: (listener: (value: Value) => void) => () => void
}

export function createNotifier<Value = void>(): Notifier<Value> {
  const listeners = new Set<(value: Value) => void>()
  return {
    notify: (value) => {
      for (const listener of listeners) listener(value)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
