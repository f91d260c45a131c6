import picomatch from 'picomatch'
import { namesOf } from '../../spec/aliases.ts'
import type { Api, KnownDefect } from './api.ts'

/** The part of an API that is tested. */
export interface ApiScope {
  readonly api: Api
  readonly defects: readonly KnownDefect[]
  /** Ids of the requirements that are judged. */
  readonly requirements: readonly string[]
  /** Ids of those among them of which every defect is in `defects`. */
  readonly complete: readonly string[]
  /** Whether the observations are tested too. */
  readonly observes: boolean
}

/**
 * Chooses by globs over ids of defects and requirements: a requirement comes with all defects that
 * break it, a defect with the requirements that it breaks. Without a glob everything is chosen.
 */
export function chooseScope(api: Api, only: readonly string[]): ApiScope {
  const all = api.requirements.map(({ id }) => id)
  if (only.length === 0) return { api, defects: api.defects, requirements: all, complete: all, observes: true }
  const matches = picomatch([...only])
  const complete = all.filter((id) => namesOf(id).some((name) => matches(name)))
  const byName = api.defects.filter(({ id }) => matches(id))
  const requirements = new Set([...complete, ...byName.flatMap(({ breaks }) => breaks)])
  const defects = api.defects.filter(({ id, breaks }) => matches(id) || breaks.some((name) => complete.includes(name)))
  return { api, defects, requirements: all.filter((id) => requirements.has(id)), complete, observes: false }
}
