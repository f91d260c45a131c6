import { expect, test } from 'vitest'
import type { Question } from '../../spec/question.ts'

/** Shows which answer a simulator gives to a question. */
export interface Demonstration<Answer extends string, Options, Simulator> {
  /** Options besides the key and the profile. */
  readonly given?: Options
  /** Whether `show` starts the simulator itself. */
  readonly notStarted?: boolean
  /** Observes the behaviour through the port. */
  readonly show: (simulator: Simulator) => Promise<unknown>
  /** The expected observation under each answer. */
  readonly shows: Readonly<Record<Answer, unknown>>
}

/** One demonstration for each answer of each question of a group. */
export type DemonstrationsOf<Group extends readonly Question[], Options, Simulator> = {
  readonly [Id in Group[number]['id']]: Demonstration<
    Extract<keyof Extract<Group[number], { readonly id: Id }>['answers'], string>,
    Options,
    Simulator
  >
}

interface Startable extends AsyncDisposable {
  readonly start: () => Promise<void>
}

/** Runs the demonstrations: one test for each answer of each question. */
export function demonstrateWith<Options extends object, Simulator extends Startable>(
  create: (given: Options | undefined, profile: Readonly<Record<string, string>>) => Simulator,
  demonstrations: Readonly<Record<string, Demonstration<string, Options, Simulator>>>,
): void {
  for (const [question, { given, notStarted = false, show, shows }] of Object.entries(demonstrations)) {
    for (const [answer, shown] of Object.entries(shows)) {
      test(`${question}: ${answer}`, async () => {
        await using simulator = create(given, { [question]: answer })
        if (!notStarted) await simulator.start()
        expect(await show(simulator)).toEqual(shown)
      })
    }
  }
}
