import type { Question } from '../../../spec/question.ts'
import { type Demonstration, type DemonstrationsOf, demonstrateWith } from '../../testing/demonstrate.ts'
import { createPlatformSimulator, type PlatformSimulator, type PlatformSimulatorOptions } from '../index.ts'
import { pair } from './client.ts'

/** One demonstration for each answer of each question of a group. */
export type Demonstrations<Group extends readonly Question[]> = DemonstrationsOf<
  Group,
  PlatformSimulatorOptions,
  PlatformSimulator
>

/** Runs the demonstrations: one test for each answer of each question. */
export function demonstrate(
  demonstrations: Readonly<Record<string, Demonstration<string, PlatformSimulatorOptions, PlatformSimulator>>>,
): void {
  demonstrateWith(
    (given, profile) =>
      createPlatformSimulator({ keyPair: pair, ...given, profile: { ...given?.profile, ...profile } }),
    demonstrations,
  )
}
