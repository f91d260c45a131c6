import { createHash } from 'node:crypto'
import type { Answers, KnownDefect } from '../target/self-test.ts'
import type { SelftestOptions } from './command.ts'
import { randomProfiles } from './profiles.ts'
import type { ApiScope } from './scope.ts'
import type { SelfTestTask } from './task.ts'

/** A task and its purpose. */
export type Planned =
  /** No defect; `profile` is the position of the random profile, null for the default answers. */
  | { readonly purpose: 'right'; readonly profile: number | null; readonly task: SelfTestTask }
  /** A defect under the default answers: a row of the kill matrix. */
  | { readonly purpose: 'row'; readonly defect: KnownDefect; readonly task: SelfTestTask }
  /** A defect under a random profile. */
  | {
      readonly purpose: 'combined'
      readonly defect: KnownDefect
      readonly profile: number
      readonly task: SelfTestTask
    }
  /** A defect under the other answers of the API. How it fails with them is part of its row. */
  | { readonly purpose: 'other'; readonly defect: KnownDefect; readonly task: SelfTestTask }
  /** A defect under answers that are listed as masks of it. */
  | { readonly purpose: 'hiding'; readonly defect: KnownDefect; readonly task: SelfTestTask }

export interface TaskPlan {
  readonly profiles: readonly Answers[]
  readonly planned: readonly Planned[]
}

/** The random profile of a defect. It does not depend on other defects, so that a new defect does not change it. */
function profileOf({ id }: KnownDefect, seed: number, profiles: number): number {
  return createHash('sha256').update(`${seed} ${id}`).digest().readUInt32BE() % profiles
}

/** All tasks for one API. */
export function planTasks(
  { api, defects, requirements, observes }: ApiScope,
  size: Pick<SelftestOptions, 'profiles' | 'quick' | 'seed'>,
): TaskPlan {
  const { seed, quick } = size
  const profiles = randomProfiles(api.questions, seed, size.profiles)
  const task = (defect: KnownDefect | null, answers: Answers, judged: readonly string[]): SelfTestTask => ({
    api: api.name,
    defects: defect === null ? [] : [defect.id],
    answers,
    requirements: judged,
    observes: observes && defect === null,
    seed,
    scope: null,
    only: null,
  })
  const right: readonly Planned[] = [null, ...profiles.keys()].map((profile) => ({
    purpose: 'right',
    profile,
    task: task(null, profile === null ? {} : (profiles[profile] ?? {}), requirements),
  }))
  const rows: readonly Planned[] = defects.map((defect) => ({
    purpose: 'row',
    defect,
    task: task(defect, {}, quick ? defect.breaks : requirements),
  }))
  const combined: readonly Planned[] = (profiles.length === 0 ? [] : defects).map((defect) => {
    const profile = profileOf(defect, seed, profiles.length)
    return { purpose: 'combined', defect, profile, task: task(defect, profiles[profile] ?? {}, defect.breaks) }
  })
  const others: readonly Planned[] = (quick || api.otherAnswers === null ? [] : defects).map((defect) => ({
    purpose: 'other',
    defect,
    task: task(defect, api.otherAnswers ?? {}, defect.breaks),
  }))
  const masks: readonly Planned[] = defects.flatMap((defect) =>
    (defect.maskedBy ?? []).map(({ answers, from = defect.breaks }) => ({
      purpose: 'hiding' as const,
      defect,
      task: task(defect, answers, from),
    })),
  )
  return { profiles, planned: [...right, ...rows, ...combined, ...others, ...masks] }
}
