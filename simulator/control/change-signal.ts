/** Tells those who follow that something has changed, and leaves it to them to look. */
export interface ChangeSignal {
  readonly tell: () => void
  /** Returns what ends it. */
  readonly follow: (listener: () => void) => () => void
}

export function changeSignal(): ChangeSignal {
  const listeners = new Set<() => void>()
  return {
    tell: () => {
      for (const listener of listeners) listener()
    },
    follow: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
