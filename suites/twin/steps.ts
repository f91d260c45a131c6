import type { Risk } from '../session/check.ts'
import { addSteps } from './add-steps.ts'
import type { ComparisonStep } from './comparison-step.ts'
import { readSteps } from './read-steps.ts'
import { writeSteps } from './write-steps.ts'

/** All steps that can show a difference between two servers. */
export const allSteps: readonly ComparisonStep[] = [...readSteps, ...addSteps, ...writeSteps]

export interface StepLimits {
  readonly risk: Risk
  /** Whether the list holds no foreign rule. */
  readonly withoutForeignRules: boolean
  readonly capacity: number | null
  readonly maxFill: number
  readonly maxRequests: number
}

const order: readonly Risk[] = ['read', 'write', 'exclusive']

/** The steps within these limits. */
export function stepsFor({
  risk,
  withoutForeignRules,
  capacity,
  maxFill,
  maxRequests,
}: StepLimits): readonly ComparisonStep[] {
  // Filling the list must leave most of the request budget for other steps.
  const mayFill = capacity !== null && capacity <= Math.min(maxFill, maxRequests / 20)
  return allSteps.filter(
    (step) =>
      order.indexOf(step.risk) <= order.indexOf(risk) &&
      (withoutForeignRules || !step.withoutForeignRules) &&
      (mayFill || step.fills !== true),
  )
}
