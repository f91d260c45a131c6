import { add, type Command, list, rejected, removeFromMemory, startAgain } from './commands.ts'

/** Rules that differ in every field, so that they cannot be mistaken for each other. */
const one = { mode: 'mult', value: 0.5, direction: 'same' } as const
const other = { mode: 'fixed', value: 2.5, direction: 'reverse' } as const

/** A fixed sequence, which runs whatever the seed is. */
export type Scenario = readonly Command[]

/** What goes wrong most often, each as short as it can be: no server passes by luck that does one of these wrong. */
export const listScenarios: readonly Scenario[] = [
  // By indices noted once: one in the middle, one behind it that has moved, and one before it that has not.
  [add([one, other, one, other]), list, removeFromMemory([1, 2, 0])],
  // A rule in the place of one that is gone, in the middle and at the end.
  [add([one, one]), removeFromMemory([0]), add([other]), list, removeFromMemory([1]), add([one])],
  // A change right after one that was rejected for its content, for its syntax, and for its index.
  [
    ...[add([one, other]), rejected(1), removeFromMemory([1])],
    ...[rejected(2), add([other]), rejected(5), removeFromMemory([0])],
  ],
]

/** Each instance of the server makes one change, which the next one must know; the last one makes two. */
export const restartScenarios: readonly Scenario[] = [
  [add([one]), startAgain, list, removeFromMemory([0]), startAgain, list, add([one]), add([other])],
]
