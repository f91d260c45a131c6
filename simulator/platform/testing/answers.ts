import type { Question } from '../../../spec/question.ts'
import { type Demonstration, type DemonstrationsOf, demonstrateWith } from '../../testing/demonstrate.ts'
import { createPlatformSimulator, type PlatformSimulator, type PlatformSimulatorOptions } from '../index.ts'
import { pair } from './client.ts'

/** A demonstration for every question of a group, and for each of its answers. */
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
