import type { Risk } from '../session/check.ts'
import { addSteps } from './add-steps.ts'
import { readSteps } from './read-steps.ts'
import type { Step } from './step.ts'
import { writeSteps } from './write-steps.ts'

/** Everything that can be sent to two servers to see whether they differ. */
export const allSteps: readonly Step[] = [...readSteps, ...addSteps, ...writeSteps]

export interface StepLimits {
  readonly risk: Risk
  /** Whether a list without any rule of others is at stake. */
  readonly alone: boolean
  readonly capacity: number | null
  readonly maxFill: number
  readonly maxRequests: number
}

const order: readonly Risk[] = ['read', 'write', 'exclusive']

/** The steps that may be sent in these circumstances. */
export function stepsFor({ risk, alone, capacity, maxFill, maxRequests }: StepLimits): readonly Step[] {
  // A list that takes the whole budget to be filled would leave nothing for the rest.
  const mayFill = capacity !== null && capacity <= Math.min(maxFill, maxRequests / 20)
  return allSteps.filter(
    (step) =>
      order.indexOf(step.risk) <= order.indexOf(risk) && (alone || !step.alone) && (mayFill || step.fills !== true),
  )
}
