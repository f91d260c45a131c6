/** Tells those who follow that something has happened. */
export interface Signal<Value = void> {
  readonly tell: (value: Value) => void
  /** Returns what ends it. */
  readonly follow: (listener: (value: Value) => void) => () => void
}

export function signal<Value = void>(): Signal<Value> {
  const listeners = new Set<(value: Value) => void>()
  return {
    tell: (value) => {
      for (const listener of listeners) listener(value)
    },
    follow: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
