import { NoResponse } from '../../suites/client/response.ts'
import type { Risk } from '../../suites/session/check.ts'
import type { Examination, Finding } from './examination.ts'

/** A finding with the name of its examination. */
export interface Examined extends Finding {
  readonly name: string
}

/** What was found, and what it means for a run. */
export interface Diagnosis {
  readonly examined: readonly Examined[]
  /** The highest risk that a run can be given; null if the target cannot be judged at all. */
  readonly risk: Risk | null
}

/** Examines one thing after the other; what a problem makes pointless is skipped. */
export async function examineAll<Context>(
  table: readonly Examination<Context>[],
  context: Context,
): Promise<Diagnosis> {
  const examined: Examined[] = []
  // What cannot be built upon, and why. A skipped examination may just have had nothing to look at.
  const obstacles = new Map<string, string>()
  for (const examination of table) {
    const { name, needs } = examination
    const obstacle = needs.map((need) => obstacles.get(need)).find((root) => root !== undefined)
    const finding = obstacle === undefined ? await look(examination, context) : skipped(obstacle)
    if (obstacle !== undefined) obstacles.set(name, obstacle)
    else if (finding.state === 'problem') obstacles.set(name, name)
    examined.push({ name, ...finding })
  }
  return { examined, risk: highestRisk(table, examined) }
}

async function look<Context>({ examine }: Examination<Context>, context: Context): Promise<Finding> {
  try {
    return await examine(context)
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    return {
      state: 'problem',
      finding: error.message,
      remedy: 'Check that the server still runs, or allow more time with `--timeout <ms>`.',
    }
  }
}

function skipped(obstacle: string): Finding {
  return { state: 'skipped', finding: `Skipped: "${obstacle}" failed.` }
}

function highestRisk(
  table: readonly Pick<Examination<never>, 'name' | 'forbids'>[],
  examined: readonly Examined[],
): Risk | null {
  const problems = new Set(examined.filter(({ state }) => state === 'problem').map(({ name }) => name))
  const forbidden = new Set(table.filter(({ name }) => problems.has(name)).map(({ forbids }) => forbids))
  if (forbidden.has('everything')) return null
  return forbidden.has('writing') ? 'read' : 'exclusive'
}
