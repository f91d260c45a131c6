/** Hands on what becomes ready in any order, in the order of the places. */
export interface InOrder<Value> {
  /** `value` is called when all places before have been handed on. */
  add(at: number, value: () => Value): void
  /** Hands on what is left, though some before it never became ready. */
  end(): void
}

export function inOrder<Value>(handOn: (value: Value) => void): InOrder<Value> {
  const ready = new Map<number, () => Value>()
  let next = 0
  const take = (at: number) => {
    const value = ready.get(at)
    if (value === undefined) return false
    ready.delete(at)
    handOn(value())
    return true
  }
  return {
    add(at, value) {
      ready.set(at, value)
      while (take(next)) next += 1
    },
    end() {
      for (const at of [...ready.keys()].sort((a, b) => a - b)) take(at)
    },
  }
}
