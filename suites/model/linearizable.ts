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
  readonly isRead: (operation: Op) => boolean
}

/**
 * Every final state of an order of the operations in which each takes effect at one moment between request and response,
 * and in which the model gives every actual response. If there is none, the history is not linearizable.
 *
 * The search is that of Wing and Gong, "Testing and Verifying Concurrent Objects" (1993): take any operation that was
 * sent before the first response of the remaining ones, apply the model, and continue with the rest. Visited pairs of a
 * set of operations and a state are skipped: Lowe, "Testing for linearizability" (2017).
 */
export function* linearizations<State, Op extends Operation>(
  history: readonly Op[],
  initial: State,
  model: SequentialModel<State, Op>,
): Generator<State> {
  const bySending = history.toSorted((one, other) => one.sentAt - other.sentAt)
  const visited = new Set<string>()
  yield* from(initial, 0n)

  function* from(state: State, done: bigint): Generator<State> {
    const visit = `${done.toString(36)} ${model.key(state)}`
    if (visited.has(visit)) return
    visited.add(visit)
    const left = bySending.flatMap((operation, at) => (((done >> BigInt(at)) & 1n) === 0n ? [{ operation, at }] : []))
    const firstAnswer = Math.min(...left.map(({ operation }) => operation.answeredAt))
    if (firstAnswer === Number.POSITIVE_INFINITY) yield state
    for (const { operation, at } of left) {
      if (operation.sentAt > firstAnswer) break
      for (const next of model.step(state, operation)) yield* from(next, done | (1n << BigInt(at)))
    }
  }
}

export function isLinearizable<State, Op extends Operation>(
  history: readonly Op[],
  initial: State,
  model: SequentialModel<State, Op>,
): boolean {
  return linearizations(history, initial, model).next().done !== true
}

/** A section of a history that no order explains, and the state before it. */
export interface Contradiction<State, Op> {
  readonly before: State
  /** In the order of sending, without unnecessary reads. */
  readonly operations: readonly Op[]
}

/**
 * The shortest section that no order explains; null for a linearizable history. It ends with the first
 * unexplained response, and starts after the last read without concurrent requests from which that
 * response is still unexplained. Unnecessary reads are left out.
 */
export function shortestContradiction<State, Op extends Operation>(
  history: readonly Op[],
  initial: State,
  model: SequentialModel<State, Op>,
): Contradiction<State, Op> | null {
  if (isLinearizable(history, initial, model)) return null
  const moments = [...new Set(history.map(({ answeredAt }) => answeredAt))].toSorted((a, b) => a - b)
  const firstUnexplained = moments.find((moment) => !isLinearizable(endingAt(history, moment), initial, model))
  if (firstUnexplained === undefined) return null
  const { before, operations } = latestStart(endingAt(history, firstUnexplained), initial, model)
  let needed = operations.toSorted((one, other) => one.sentAt - other.sentAt)
  for (const read of needed.filter(model.isRead)) {
    const without = needed.filter((operation) => operation !== read)
    if (!isLinearizable(without, before, model)) needed = without
  }
  return { before, operations: needed }
}

/** The history up to that moment, without later responses. */
function endingAt<Op extends Operation>(history: readonly Op[], moment: number): readonly Op[] {
  return history
    .filter(({ sentAt }) => sentAt <= moment)
    .map((operation) =>
      operation.answeredAt <= moment ? operation : { ...operation, answeredAt: Number.POSITIVE_INFINITY },
    )
}

function latestStart<State, Op extends Operation>(
  history: readonly Op[],
  initial: State,
  model: SequentialModel<State, Op>,
): Contradiction<State, Op> {
  // A read without concurrent requests shows the state.
  const isQuiescent = (read: Op) =>
    Number.isFinite(read.answeredAt) &&
    !history.some((other) => other !== read && other.sentAt <= read.answeredAt && other.answeredAt >= read.sentAt)
  const reads = history.filter((operation) => model.isRead(operation) && isQuiescent(operation))
  for (const { answeredAt: moment } of reads.toSorted((one, other) => other.answeredAt - one.answeredAt)) {
    const earlier = history.filter(({ answeredAt }) => answeredAt <= moment)
    const rest = history.filter(({ answeredAt }) => answeredAt > moment)
    const states = new Map(Array.from(linearizations(earlier, initial, model), (state) => [model.key(state), state]))
    const [before] = states.values()
    if (before !== undefined && [...states.values()].every((state) => !isLinearizable(rest, state, model))) {
      return { before, operations: rest }
    }
  }
  return { before: initial, operations: history }
}
