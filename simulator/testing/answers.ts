import { expect, test } from 'vitest'
import type { Question } from '../../spec/question.ts'
import { createSimulator, type Profile, type Simulator, type SimulatorOptions } from '../index.ts'
import { key } from './client.ts'

/** What shows which answer a simulator gives to a question. */
interface Demonstration<Answer extends string> {
  /** Beside the key and the profile. */
  readonly given?: SimulatorOptions
  /** Whether `show` starts the simulator itself. */
  readonly notStarted?: boolean
  /** Asks the simulator the question over its port. */
  readonly show: (simulator: Simulator) => Promise<unknown>
  /** What it shows under each answer. */
  readonly shows: Readonly<Record<Answer, unknown>>
}

/** A demonstration for every question of a group, and for each of its answers. */
export type Demonstrations<Group extends readonly Question[]> = {
  readonly [Id in Group[number]['id']]: Demonstration<
    Extract<keyof Extract<Group[number], { readonly id: Id }>['answers'], string>
  >
}

/** Runs the demonstrations: one test for each answer of each question. */
export function demonstrate(demonstrations: Readonly<Record<string, Demonstration<string>>>): void {
  for (const [question, { given = {}, notStarted = false, show, shows }] of Object.entries(demonstrations)) {
    for (const [answer, shown] of Object.entries(shows)) {
      test(`${question}: ${answer}`, async () => {
        const profile = { [question]: answer } as Partial<Profile>
        await using simulator = createSimulator({ port: 0, apiKey: key, ...given, profile })
        if (!notStarted) await simulator.start()
        expect(await show(simulator)).toEqual(shown)
      })
    }
  }
}
