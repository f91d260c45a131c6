import type { Question } from '../../../spec/question.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../index.ts'
import { key } from '../../testing/client.ts'
import { type Demonstration, type DemonstrationsOf, demonstrateWith } from '../../testing/demonstrate.ts'

/** One demonstration for each answer of each question of a group. */
export type Demonstrations<Group extends readonly Question[]> = DemonstrationsOf<Group, SimulatorOptions, Simulator>

/** Runs the demonstrations: one test for each answer of each question. */
export function demonstrate(
  demonstrations: Readonly<Record<string, Demonstration<string, SimulatorOptions, Simulator>>>,
): void {
  demonstrateWith(
    (given, profile) => createSimulator({ port: 0, apiKey: key, ...given, profile: { ...profile } }),
    demonstrations,
  )
}
