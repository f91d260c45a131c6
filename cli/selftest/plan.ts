import { createHash } from 'node:crypto'
import type { Answers, KnownDefect } from '../target/self-test.ts'
import type { SelftestOptions } from './command.ts'
import { randomProfiles } from './profiles.ts'
import type { ApiScope } from './scope.ts'
import { bareTask, type SelfTestTask } from './task.ts'

interface WithDefect {
  readonly defect: KnownDefect
  readonly task: SelfTestTask
}

/** A task and its purpose. `profile` is the position of the random profile. */
export type Planned =
  /** No defect; `profile` is null for the default answers. */
  | { readonly purpose: 'right'; readonly profile: number | null; readonly task: SelfTestTask }
  /**
   * A defect under the default answers: a row of the kill matrix; under the other answers of the API: how it fails with
   * them is part of its row; or under answers that are listed as masks of it.
   */
  | (WithDefect & { readonly purpose: 'row' | 'other' | 'hiding' })
  /** A defect under a random profile. */
  | (WithDefect & { readonly purpose: 'combined'; readonly profile: number })

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
  const withDefect = (defect: KnownDefect, answers: Answers, judged = defect.breaks): WithDefect => ({
    defect,
    task: { ...bareTask, api: api.name, seed, defects: [defect.id], answers, requirements: judged },
  })
  const right = [null, ...profiles.keys()].map((profile) => {
    const answers = profile === null ? {} : (profiles[profile] ?? {})
    return {
      purpose: 'right' as const,
      profile,
      task: { ...bareTask, api: api.name, seed, answers, requirements, observes },
    }
  })
  const rows = defects.map((defect) => ({
    purpose: 'row' as const,
    ...withDefect(defect, {}, quick ? defect.breaks : requirements),
  }))
  const combined = (profiles.length === 0 ? [] : defects).map((defect) => {
    const profile = profileOf(defect, seed, profiles.length)
    return { purpose: 'combined' as const, profile, ...withDefect(defect, profiles[profile] ?? {}) }
  })
  const { otherAnswers } = api
  const others = (quick || otherAnswers === null ? [] : defects).map((defect) => ({
    purpose: 'other' as const,
    ...withDefect(defect, otherAnswers ?? {}),
  }))
  const masks = defects.flatMap((defect) =>
    (defect.maskedBy ?? []).map(({ answers, from }) => ({
      purpose: 'hiding' as const,
      ...withDefect(defect, answers, from),
    })),
  )
  return { profiles, planned: [...right, ...rows, ...combined, ...others, ...masks] }
}
