import picomatch from 'picomatch'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import type { KnownDefect, SelfTestApi } from '../target/self-test.ts'
import type { SelftestOptions } from './command.ts'

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
  const drawn = new Set(shuffled(scope.defects, seed).slice(0, sample))
  const left = scope.defects.filter((defect) => !drawn.has(defect))
  return {
    ...scope,
    defects: scope.defects.filter((defect) => drawn.has(defect)),
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

/** The items in a random order, which depends only on the seed. */
function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const random = xorshift128plus(seed)
  const left = [...items]
  return items.flatMap(() => left.splice(uniformInt(random, 0, left.length - 1), 1))
}
