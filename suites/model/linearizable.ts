/** One request in a history. All times are from one clock; only their order matters. */
export interface Operation {
  readonly sentAt: number
  /** The time of its response; `Infinity` without one: it may have taken effect at any time, or never. */
  readonly answeredAt: number
}

/** The behaviour of a server that processes one request after the other. */
export interface SequentialModel<State, Op extends Operation> {
  /** The possible next states after this operation and its response; none if that response is wrong. */
  readonly step: (state: State, operation: Op) => readonly State[]
  /** Equal for equal states. */
  readonly key: (state: State) => string
}

/**
 * Whether there is an order of the operations in which each takes effect at one moment between request and response, and
 * in which the model gives every actual response.
 *
 * The search is that of Wing and Gong, "Testing and Verifying Concurrent Objects" (1993): take any operation that was
 * sent before the first response of the remaining ones, apply the model, and continue with the rest. Visited pairs of a
 * set of operations and a state are skipped: Lowe, "Testing for linearizability" (2017).
 */
export function isLinearizable<State, Op extends Operation>(
  history: readonly Op[],
  initial: State,
  model: SequentialModel<State, Op>,
): boolean {
  const bySending = history.toSorted((one, other) => one.sentAt - other.sentAt)
  const visited = new Set<string>()
  const holdsFrom = (state: State, done: bigint): boolean => {
    const visit = `${done.toString(36)} ${model.key(state)}`
    if (visited.has(visit)) return false
    visited.add(visit)
    const left = bySending.flatMap((operation, at) => (((done >> BigInt(at)) & 1n) === 0n ? [{ operation, at }] : []))
    const firstAnswer = Math.min(...left.map(({ operation }) => operation.answeredAt))
    if (firstAnswer === Number.POSITIVE_INFINITY) return true
    return left
      .filter(({ operation }) => operation.sentAt <= firstAnswer)
      .some(({ operation, at }) =>
        model.step(state, operation).some((next) => holdsFrom(next, done | (1n << BigInt(at)))),
      )
  }
  return holdsFrom(initial, 0n)
}
