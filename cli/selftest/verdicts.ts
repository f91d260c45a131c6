import { plural } from '../../reports/phrases.ts'
import type { Kill, Law, Selftest } from './document.ts'

/** Every verdict on a defect, those that need attention first. */
export const kills: readonly Kill[] = ['survived', 'killed-by-others', 'killed-by-some', 'hidden', 'killed-by-all']

export const killLabels: Readonly<Record<Kill, string>> = {
  survived: 'survived',
  'killed-by-others': 'killed only by others',
  'killed-by-some': 'killed by some',
  hidden: 'masked by the profile',
  'killed-by-all': 'killed',
}

/** The four laws. */
export const laws: readonly { readonly law: Law; readonly name: string; readonly sentence: string }[] = [
  {
    law: 1,
    name: 'No false alarm',
    sentence: 'A simulator without a defect passes every check, with any answers to the open questions.',
  },
  { law: 2, name: 'No blind spot', sentence: 'Every requirement that a defect breaks catches it.' },
  { law: 3, name: 'No unproven check', sentence: 'At least one defect makes each requirement fail.' },
  { law: 4, name: 'A twin is exact', sentence: 'Probing a simulator with a profile yields the same profile.' },
]

/** How much was tested for a law. */
export function extentOf({ apis, scope }: Selftest, law: Law): string {
  const profiles = plural(apis.flatMap((api) => api.profiles).length + apis.length, 'profile')
  const requirements = plural(apis.flatMap((api) => api.requirements).length, 'requirement')
  const defects = plural(apis.flatMap((api) => api.defects).length, 'defect')
  if (law === 1) return `${profiles}, ${requirements}`
  if (law === 2) return scope.combined === 0 ? defects : `${defects}, ${scope.combined} also under random answers`
  if (law === 3)
    return plural(apis.flatMap((api) => api.requirements.filter(({ toothless }) => !toothless)).length, 'requirement')
  return scope.only.length > 0 ? 'not tested with --only' : profiles
}

/** How many defects have this verdict. */
export function countKills({ apis }: Selftest, kill: Kill): number {
  return apis.flatMap(({ defects }) => defects).filter(({ verdict }) => verdict === kill).length
}

/** The result of the self-test in one sentence. */
export function conclusion({ passed, findings }: Selftest): string {
  return passed ? 'Self-test passed: all laws hold.' : `Self-test failed: ${plural(findings.length, 'violation')}.`
}
