import type { Question } from '../../../spec/question.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../index.ts'
import { key } from '../../testing/client.ts'
import { type Demonstration, type DemonstrationsOf, demonstrateWith } from '../../testing/demonstrate.ts'

/** A demonstration for every question of a group, and for each of its answers. */
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
