import { createHash } from 'node:crypto'
import { sample as draw, subarray } from 'fast-check'
import picomatch from 'picomatch'
import type { Answers, KnownDefect, SelfTestApi } from '../target/self-test.ts'
import type { SelftestOptions } from './command.ts'
import { randomProfiles } from './profiles.ts'
import { bareTask, type SelfTestTask } from './task.ts'

/** The part of an API that is tested. */
export interface ApiScope {
  readonly api: SelfTestApi
  readonly defects: readonly KnownDefect[]
  /** Ids of the requirements to judge. */
  readonly requirements: readonly string[]
  /** Ids of the requirements whose defects are all in `defects`. */
  readonly complete: readonly string[]
  /** Whether the observations are tested too. */
  readonly observes: boolean
}

/** Chooses what to test, and a random sample of its defects. */
export function chooseScope(
  api: SelfTestApi,
  { only, sample, seed }: Pick<SelftestOptions, 'only' | 'sample' | 'seed'>,
) {
  const scope = byGlobs(api, only)
  const size = Math.min(sample ?? scope.defects.length, scope.defects.length)
  const chosen = subarray([...scope.defects], { minLength: size, maxLength: size })
  const [defects = []] = draw(chosen, { seed, numRuns: 1 })
  const left = scope.defects.filter((defect) => !defects.includes(defect))
  return {
    ...scope,
    defects,
    complete: scope.complete.filter((id) => !left.some(({ breaks }) => breaks.includes(id))),
  }
}

/**
 * Chooses by globs over ids of defects and requirements: a requirement comes with all defects that
 * break it, a defect with the requirements that it breaks. Without a glob everything is chosen.
 */
function byGlobs(api: SelfTestApi, only: readonly string[]): ApiScope {
  const all = api.requirements.map(({ id }) => id)
  if (only.length === 0) return { api, defects: api.defects, requirements: all, complete: all, observes: true }
  const matches = picomatch([...only])
  const complete = all.filter((id) => matches(id))
  const byName = api.defects.filter(({ id }) => matches(id))
  const requirements = new Set([...complete, ...byName.flatMap(({ breaks }) => breaks)])
  const defects = api.defects.filter(({ id, breaks }) => matches(id) || breaks.some((name) => complete.includes(name)))
  return { api, defects, requirements: all.filter((id) => requirements.has(id)), complete, observes: false }
}

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
