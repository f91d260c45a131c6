import { add, type Command, list, rejected, removeFromMemory, startAgain } from './commands.ts'

/** Rules that differ in every field, so that they can be told apart. */
const one = { mode: 'mult', value: 0.5, direction: 'same' } as const
const other = { mode: 'fixed', value: 2.5, direction: 'reverse' } as const

/** A fixed sequence, which runs with every seed. */
export type Scenario = readonly Command[]

/**
 * The most common defects, each with the shortest sequence that shows it, so that finding them does not depend on
 * chance.
 */
export const listScenarios: readonly Scenario[] = [
  // By indices recorded once: in the middle, after it (the rule has moved), and before it (the rule has not moved).
  [add([one, other, one, other]), list, removeFromMemory([1, 2, 0])],
  // A new rule in place of a removed one, in the middle and at the end.
  [add([one, one]), removeFromMemory([0]), add([other]), list, removeFromMemory([1]), add([one])],
  // A change immediately after one that was rejected for its content, for its syntax, and for its index.
  [
    ...[add([one, other]), rejected(1), removeFromMemory([1])],
    ...[rejected(2), add([other]), rejected(5), removeFromMemory([0])],
  ],
]

/** Each instance of the server makes one change, which the next one must know. The last one makes two. */
export const restartScenarios: readonly Scenario[] = [
  [add([one]), startAgain, list, removeFromMemory([0]), startAgain, list, add([one]), add([other])],
]
