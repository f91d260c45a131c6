/** One request in a history, whatever it asked for. Times are of one clock; only their order counts. */
export interface Operation {
  readonly sentAt: number
  /** When its answer had come; `Infinity` if none came: then it may have happened at any time, or never. */
  readonly answeredAt: number
}

/** What a server may do that serves one request after the other. */
export interface SequentialModel<State, Op extends Operation> {
  /** The states that may follow when this operation is served with the answer that it got; none if that answer is wrong. */
  readonly step: (state: State, operation: Op) => readonly State[]
  /** Equal for equal states. */
  readonly key: (state: State) => string
}

/**
 * Every state that some order of the operations leads to in which each happens at one moment
 * between its sending and its answer, and in which the model gives every answer that was given.
 * None: the history is not linearizable.
 *
 * The search is that of Wing and Gong, "Testing and Verifying Concurrent Objects" (J. Parallel
 * Distrib. Comput. 17, 1993): take any operation that was sent before the first answer of those
 * that are left, ask the model, go on with the rest. It remembers where it has been, as a set of
 * operations and a state: Lowe, "Testing for linearizability" (Concurrency Computat. Pract. Exper.
 * 29, 2017), which is also what the checker Porcupine does.
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
    const place = `${done.toString(36)} ${model.key(state)}`
    if (visited.has(place)) return
    visited.add(place)
    const left = bySending.flatMap((operation, at) => (((done >> BigInt(at)) & 1n) === 0n ? [{ operation, at }] : []))
    const firstAnswer = left.reduce(
      (first, { operation }) => Math.min(first, operation.answeredAt),
      Number.POSITIVE_INFINITY,
    )
    if (firstAnswer === Number.POSITIVE_INFINITY) yield state
    for (const { operation, at } of left) {
      if (operation.sentAt > firstAnswer) break
      for (const next of model.step(state, operation)) yield* from(next, done | (1n << BigInt(at)))
    }
  }
}

/** A model that knows which operations change nothing. */
export type ModelWithReads<State, Op extends Operation> = SequentialModel<State, Op> & {
  readonly isRead: (operation: Op) => boolean
}

/** Whether some order explains every answer. */
export function isLinearizable<State, Op extends Operation>(
  history: readonly Op[],
  initial: State,
  model: SequentialModel<State, Op>,
): boolean {
  return linearizations(history, initial, model).next().done !== true
}

/** A stretch of a history that no order explains, and the state before it. */
export interface Contradiction<State, Op> {
  readonly before: State
  /** In the order of sending; without the reads that it does not take. */
  readonly operations: readonly Op[]
}

/**
 * The shortest stretch that no order explains, null for a linearizable history: it ends with the
 * first answer that cannot be explained, and begins after the last read beside which nothing was
 * under way and from which it still cannot be. Reads that are not needed for that are left out.
 */
export function shortestContradiction<State, Op extends Operation>(
  history: readonly Op[],
  initial: State,
  model: ModelWithReads<State, Op>,
): Contradiction<State, Op> | null {
  if (isLinearizable(history, initial, model)) return null
  const upTo = endingAt(history, firstUnexplained(history, initial, model))
  const { before, operations } = latestBeginning(upTo, initial, model)
  let kept = operations.toSorted((one, other) => one.sentAt - other.sentAt)
  for (const read of kept.filter(model.isRead)) {
    const without = kept.filter((operation) => operation !== read)
    if (!isLinearizable(without, before, model)) kept = without
  }
  return { before, operations: kept }
}

/** Every beginning of a linearizable history is linearizable, so that the first answer too many can be bisected. */
function firstUnexplained<State, Op extends Operation>(
  history: readonly Op[],
  initial: State,
  model: SequentialModel<State, Op>,
): number {
  const answers = history
    .map(({ answeredAt }) => answeredAt)
    .filter(Number.isFinite)
    .toSorted((a, b) => a - b)
  let low = 0
  let high = answers.length - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isLinearizable(endingAt(history, answers[middle] ?? 0), initial, model)) low = middle + 1
    else high = middle
  }
  return answers[low] ?? 0
}

/** What could be seen at that moment: an answer that had not come yet is none. */
function endingAt<Op extends Operation>(history: readonly Op[], moment: number): readonly Op[] {
  return history
    .filter(({ sentAt }) => sentAt <= moment)
    .map((operation) =>
      operation.answeredAt <= moment ? operation : { ...operation, answeredAt: Number.POSITIVE_INFINITY },
    )
}

function latestBeginning<State, Op extends Operation>(
  history: readonly Op[],
  initial: State,
  model: ModelWithReads<State, Op>,
): Contradiction<State, Op> {
  for (const moment of witnessedMoments(history, model)) {
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

/** The times of answers to reads beside which nothing was under way, so that they show the state; the latest first. */
function witnessedMoments<State, Op extends Operation>(
  history: readonly Op[],
  { isRead }: ModelWithReads<State, Op>,
): readonly number[] {
  return history
    .filter(
      (read) =>
        isRead(read) &&
        Number.isFinite(read.answeredAt) &&
        !history.some((other) => other !== read && other.sentAt <= read.answeredAt && other.answeredAt >= read.sentAt),
    )
    .map(({ answeredAt }) => answeredAt)
    .toSorted((one, other) => other - one)
}
