import { FailedExpectation, type FailureStep } from '../assertions/failure.ts'
import { contentLine } from '../model/rule.ts'
import {
  type Command,
  commandsFor,
  expectListMatches,
  type FastCheck,
  type Followed,
  type ModelState,
  maxOwnRules,
  mostWritesOfCommand,
  readList,
  restart,
  type Scenario,
  type Subject,
} from './commands.ts'

const commandLimit = 24

/** Rules of the kit that are left at the end are removed. */
const mostWritesOfDrawn = commandLimit * mostWritesOfCommand + maxOwnRules
const mostWritesOfScenario = 12

/**
 * The maximum number of writes, including those that shrink a failing sequence. At the maximum, the shortest one so far
 * is the result.
 */
export function mostWritesOf({ scenarios, drawn }: Pick<Chosen, 'scenarios' | 'drawn'>): number {
  return scenarios.length * mostWritesOfScenario + drawn * mostWritesOfDrawn
}

export interface Chosen {
  /** Always run, and first. */
  readonly scenarios: readonly Scenario[]
  /** The number of additional random sequences. */
  readonly drawn: number
  readonly seed: number
}

/**
 * Sends fixed and random sequences of changes, and compares the list with the expected result. A failing random
 * sequence is shrunk to the shortest one that still fails, by sending more of them. The failure contains every request
 * of that sequence. The same seed draws the same sequences.
 */
export async function expectSequences(subject: Subject, { scenarios, drawn, seed }: Chosen): Promise<void> {
  // Most runs are short, and it takes a while to load.
  const fc = await import('fast-check')
  const most = mostWritesOf({ scenarios, drawn })
  let started = 0
  let writes = 0
  // Any other error ends the search, since the sequence did not cause it.
  let broken: { readonly error: unknown } | null = null
  let trail: readonly FailureStep[] = []
  const run = async (one: Subject, commands: Iterable<Command>) => {
    const countWrite = () => {
      writes += 1
    }
    const followed: Followed = { ...one, steps: [...trail], countWrite }
    await one.startFresh?.()
    const before = await readList(followed)
    const model: ModelState = { rules: before.map(contentLine), base: before[0]?.index ?? null, own: new Set() }
    try {
      await runSequence(fc, followed, model, commands)
    } finally {
      trail = one.startFresh === null ? await removeOwn(followed, model) : []
    }
  }
  // Without the usual bias to short sequences: defects show only in a list of some length.
  const anySequence = fc.noBias(fc.commands([...commandsFor(fc, subject)], { maxCommands: commandLimit, size: 'max' }))
  const property = fc.asyncProperty<[Iterable<Command>]>(anySequence, async (commands) => {
    started += 1
    const mayWrite = started <= scenarios.length || writes + mostWritesOfDrawn <= most
    if (broken !== null || !mayWrite) return
    try {
      await run(subject, commands)
    } catch (error) {
      if (error instanceof FailedExpectation) throw error
      broken = { error }
    }
  })
  const { failed, errorInstance, counterexample, counterexamplePath } = await fc.check(property, {
    seed,
    examples: scenarios.map((scenario): [Iterable<Command>] => [scenario]),
    numRuns: scenarios.length + drawn,
  })
  if (broken !== null) throw (broken as { readonly error: unknown }).error
  if (!failed) return
  if (!(errorInstance instanceof FailedExpectation)) throw errorInstance
  // Restarts that the failure does not need would be taken for its cause.
  const again: unknown =
    subject.restart &&
    (await run({ ...subject, restart: null }, counterexample?.[0] ?? []).catch((error: unknown) => error))
  const failure = again instanceof FailedExpectation ? again : errorInstance
  // The path counts the fixed sequences first. They are not shrunk.
  const place = Number(counterexamplePath)
  if (place < scenarios.length) {
    const origin = `sequence ${place + 1} of those that every run begins with`
    throw failure.with({}, { steps: [origin, ...failure.steps] })
  }
  const replay = `drawn with --seed ${seed}, path ${counterexamplePath}`
  throw failure.with({ seed }, { steps: [replay, ...failure.steps] })
}

async function runSequence(fc: FastCheck, followed: Followed, model: ModelState, commands: Iterable<Command>) {
  try {
    await fc.asyncModelRun(() => ({ model: model, real: followed }), commands)
    await restart(followed)
    expectListMatches(await readList(followed), model)
  } catch (error) {
    if (!(error instanceof FailedExpectation)) throw error
    throw error.with({ after: describeSteps(followed.steps) }, { steps: [...followed.steps], exchange: null })
  }
}

const maxShown = 12

/** The last step that may have changed the list. */
function describeSteps(steps: readonly FailureStep[]): string {
  const changes = steps.flatMap((step) => {
    if (typeof step === 'string') return ['restart']
    return step.request.method === 'GET' ? [] : [step.request.method]
  })
  const shown = changes.length > maxShown ? ['…', ...changes.slice(-maxShown)] : changes
  return shown.join(', ') || 'reads only'
}

/** The last one first, so that reading the list once is sufficient. */
async function removeOwn(followed: Followed, { own }: ModelState): Promise<readonly FailureStep[]> {
  if (own.size === 0) return []
  const left = (await followed.rules.read()).filter((rule) => own.has(contentLine(rule)))
  const steps: FailureStep[] = []
  for (const rule of left.toReversed()) {
    followed.countWrite()
    steps.push((await followed.plugin.remove(rule.index)).exchange)
  }
  return steps
}
