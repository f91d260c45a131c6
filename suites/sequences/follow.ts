import fc from 'fast-check'
import { FailedExpectation, type Step } from '../assertions/failure.ts'
import { nameOf } from '../model/rule-list.ts'
import {
  type Command,
  commandsFor,
  expectListMatches,
  type Followed,
  type ModelState,
  mostOwn,
  mostWritesOfCommand,
  readList,
  restart,
  type Subject,
} from './commands.ts'
import type { Scenario } from './scenarios.ts'

const mostCommands = 24

/** What is left of its rules at the end is removed again. */
const mostWritesOfDrawn = mostCommands * mostWritesOfCommand + mostOwn
const mostWritesOfScenario = 12

/**
 * The most writes, those included that look for the shortest sequence which fails. Where they are
 * used up, the shortest one so far is the result.
 */
export function mostWritesOf({ scenarios, drawn }: Pick<Chosen, 'scenarios' | 'drawn'>): number {
  return scenarios.length * mostWritesOfScenario + drawn * mostWritesOfDrawn
}

export interface Chosen {
  /** Run first, and always. */
  readonly scenarios: readonly Scenario[]
  /** How many more are drawn. */
  readonly drawn: number
  readonly seed: number
}

/**
 * Sends sequences of changes, fixed and random ones, and compares the list with what they must
 * leave. A random sequence that fails is cut down to the shortest one that still does, by sending
 * more of them; the failure carries every request of that one. The same seed draws the same sequences.
 */
export async function expectSequencesFollowed(subject: Subject, { scenarios, drawn, seed }: Chosen): Promise<void> {
  const most = mostWritesOf({ scenarios, drawn })
  let started = 0
  let writes = 0
  // Any other error ends the search, since the sequence is not the reason for it.
  let broken: { readonly error: unknown } | null = null
  let trail: readonly Step[] = []
  // Without the usual bias to short ones: a list must be made before it can go wrong.
  const anySequence = fc.noBias(fc.commands([...commandsFor(subject)], { maxCommands: mostCommands, size: 'max' }))
  const property = fc.asyncProperty<[Iterable<Command>]>(anySequence, async (commands) => {
    started += 1
    const mayWrite = started <= scenarios.length || writes + mostWritesOfDrawn <= most
    if (broken !== null || !mayWrite) return
    const countWrite = () => {
      writes += 1
    }
    const followed: Followed = { ...subject, steps: [...trail], countWrite }
    try {
      await subject.startFresh?.()
      const model = await modelOf(followed)
      try {
        await follow(followed, model, commands)
      } finally {
        trail = subject.startFresh === null ? await removeOwn(followed, model) : []
      }
    } catch (error) {
      if (error instanceof FailedExpectation) throw error
      broken = { error }
    }
  })
  const { failed, errorInstance, counterexamplePath } = await fc.check(property, {
    seed,
    examples: scenarios.map((scenario): [Iterable<Command>] => [scenario]),
    numRuns: scenarios.length + drawn,
  })
  rethrow(broken)
  if (!(errorInstance instanceof FailedExpectation)) return rethrow(failed ? { error: errorInstance } : null)
  // The path counts the fixed sequences first. They are not shrunk.
  const place = Number(counterexamplePath)
  if (place < scenarios.length) {
    const origin = `sequence ${place + 1} of those that every run begins with`
    throw errorInstance.with({}, { steps: [origin, ...errorInstance.steps] })
  }
  const replay = `drawn with --seed ${seed}, path ${counterexamplePath}`
  throw errorInstance.with({ seed }, { steps: [replay, ...errorInstance.steps] })
}

function rethrow(broken: { readonly error: unknown } | null): void {
  if (broken !== null) throw broken.error
}

/** What the list is before a sequence. */
async function modelOf(followed: Followed): Promise<ModelState> {
  const list = await readList(followed)
  return { rules: list.map(nameOf), base: list[0]?.index ?? null, own: new Set() }
}

/** One sequence, and a last look at what it has left. */
async function follow(followed: Followed, model: ModelState, commands: Iterable<Command>): Promise<void> {
  try {
    await fc.asyncModelRun(() => ({ model: model, real: followed }), commands)
    await restart(followed)
    expectListMatches(await readList(followed), model)
  } catch (error) {
    if (!(error instanceof FailedExpectation)) throw error
    throw error.with({ after: describeSteps(followed.steps) }, { steps: [...followed.steps], exchange: null })
  }
}

const mostShown = 12

/** The last of what may have changed the list. */
function describeSteps(steps: readonly Step[]): string {
  const changes = steps.flatMap((step) => {
    if (typeof step === 'string') return ['restart']
    return step.request.method === 'GET' ? [] : [step.request.method]
  })
  const shown = changes.length > mostShown ? ['…', ...changes.slice(-mostShown)] : changes
  return shown.join(', ') || 'reads only'
}

/** The last one first, so that one look at the list is enough. */
async function removeOwn(followed: Followed, { own }: ModelState): Promise<readonly Step[]> {
  if (own.size === 0) return []
  const left = (await followed.rules.read()).filter((rule) => own.has(nameOf(rule)))
  const steps: Step[] = []
  for (const rule of left.toReversed()) {
    followed.countWrite()
    steps.push((await followed.plugin.remove(rule.index)).exchange)
  }
  return steps
}
