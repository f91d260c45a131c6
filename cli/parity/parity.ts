import { listChangesLine } from '../../reports/phrases.ts'
import type { Harm } from '../../reports/report.ts'
import { visibleLine } from '../../reports/visible.ts'
import { NoResponse } from '../../suites/client/response.ts'
import { createPluginContext, type PluginSettings } from '../../suites/runner/plugin/context.ts'
import { ConcurrentEdit } from '../../suites/safety/concurrent-edit.ts'
import { differences } from '../../suites/safety/list-state.ts'
import { stepsFor } from '../../suites/twin/steps.ts'
import { UnreachableError, UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { codeOfTarget } from '../target/exit.ts'
import { type Foreseen, type Visit, visit } from '../target/session.ts'
import { compareSides, type SidesCompared } from './compare-sides.ts'
import { type ParityFlags, type ParityOptions, resolveParityOptions } from './options.ts'
import { renderParity } from './render.ts'
import { type OpenSide, sideOf, startTwin } from './sides.ts'
import { termsOf } from './terms.ts'

/** Looks for a difference between a server and its twin and returns the exit code. */
export async function parity(flags: ParityFlags, signal: AbortSignal): Promise<number> {
  const options = await resolveParityOptions(flags)
  const visited = await visit({
    options: options.target,
    signal,
    describe: ({ target }, { risk, seed }) =>
      `Comparing ${target.url} with ${twinName(options)} (risk ${risk}, seed ${seed})`,
    foresee: async () => foresee(options),
    work: (ready) => withTwin({ ready, options, signal }, (twin) => compareBoth({ ready, twin, options, signal })),
  })
  if (visited === null) return exitCode.conformant
  const { result, harm } = visited
  sayEnd(harm)
  const own = codeOfTarget(harm, [])
  return own ?? result.code
}

/** The exit code that the comparison comes to, apart from what became of the target. */
interface Compared {
  readonly code: number
}

function foresee({ target, maxRequests }: ParityOptions): Foreseen {
  const { risk, capacity, maxFill } = target
  const steps = stepsFor({ risk, alone: target.target.kind !== 'url', capacity, maxFill, maxRequests })
  const lines = steps.map(({ id, risk: needed }) => `${id} (${needed})`)
  // The checks that name a difference, and the clean-up, write too.
  const mostWrites = 2 * maxRequests
  return {
    mostWrites,
    lifeCycle: null,
    mostAccounts: 0,
    plan: [
      'Random sequences of these steps, each sent to both sides:',
      ...lines.map((line) => `  ${line}`),
      `At most ${maxRequests} requests to each side, and ${mostWrites} writes with what names a difference and the clean-up.`,
      'Nothing was sent to the target.',
      '',
    ].join('\n'),
  }
}

/** The other server is visited like the target; the simulator is started with the list of the target. */
async function withTwin(
  { ready, options, signal }: Omit<Both, 'twin'>,
  work: (twin: OpenSide) => Promise<Compared>,
): Promise<Compared> {
  const { twin } = options
  const before = ready.found.list?.rules ?? []
  if (twin.kind === 'simulator') {
    const profile = twin.profile?.options ?? null
    const plugin = await identityOf(ready)
    const capacity = profile?.capacity ?? ready.open.target.capacity
    await using open = await startTwin({ settings: pluginOf(ready), profile, plugin, rules: before, capacity })
    return await work(open)
  }
  const visited = await visit({
    options: twin.options,
    signal,
    describe: (open) => `The other side is ${open.target.url}.`,
    foresee: async () => foresee(options),
    work: async ({ settings, found, open }) => {
      refuseOtherLists(before, found.list?.rules ?? [], twin.options)
      return work(sideOf(createPluginContext(pluginOf({ settings }), open.driver)))
    },
  })
  if (visited === null) return { code: exitCode.conformant }
  sayEnd(visited.harm)
  return { code: codeOfTarget(visited.harm, []) ?? visited.result.code }
}

function refuseOtherLists(
  before: Parameters<typeof differences>[0],
  other: typeof before,
  { target }: ParityOptions['target'],
) {
  const [first] = differences(before, other)
  if (first === undefined) return
  throw new UsageError(
    `The two servers do not hold the same rules, so that every list would differ: ${first}.`,
    `Nothing was written. Give ${target.kind === 'url' ? target.url : 'the other server'} the rules of the target first.`,
  )
}

function pluginOf({ settings }: Pick<Visit, 'settings'>): PluginSettings {
  if (settings.plugin === null) throw new Error('parity compares plugins')
  return settings.plugin
}

/** What the target says of itself, so that the twin says the same where the profile leaves it open. */
async function identityOf({ settings, open, found }: Visit) {
  const status = await createPluginContext(pluginOf({ settings }), open.driver).main.plugin.status()
  const { license_active: licenseActive } = (status.json ?? {}) as { license_active?: unknown }
  return { ...found.plugin, ...(typeof licenseActive === 'boolean' ? { licenseActive } : {}) }
}

interface Both {
  readonly ready: Visit
  readonly twin: OpenSide
  readonly options: ParityOptions
  readonly signal: AbortSignal
}

async function compareBoth({ ready, twin, options, signal }: Both): Promise<Compared> {
  const { open, found } = ready
  const settings = pluginOf(ready)
  const context = createPluginContext(settings, open.driver)
  const profile = options.twin.kind === 'simulator' ? (options.twin.profile?.options ?? null) : null
  try {
    const compared = await compareSides({
      target: sideOf(context),
      twin,
      terms: termsOf(profile, options.ignore),
      before: found.list?.rules ?? [],
      capacity: profile?.capacity ?? ready.open.target.capacity,
      runs: options.runs,
      maxRequests: options.maxRequests,
      signal,
    })
    const redact = (text: string) => twin.context.redact(context.redact(text))
    const shown = { compared, seed: settings.seed, twin: twinName(options), redact }
    process.stdout.write(renderParity(shown))
    return { code: codeOf(compared) }
  } catch (error) {
    if (error instanceof ConcurrentEdit) {
      process.stdout.write(`Stopped: ${visibleLine(context.redact(error.message))}\n`)
      return { code: exitCode.incomplete }
    }
    if (!(error instanceof NoResponse)) throw error
    throw new UnreachableError(
      `A server stopped answering: ${error.message}.`,
      'The last request before may have made it stop: look at its log.',
      { cause: error },
    )
  }
}

function codeOf({ divergence, cutShort }: SidesCompared): number {
  if (divergence !== null) return exitCode.nonConformant
  return cutShort ? exitCode.incomplete : exitCode.conformant
}

function twinName({ twin }: ParityOptions): string {
  if (twin.kind === 'simulator') return twin.file === null ? 'the simulator' : `profile ${twin.file}`
  return twin.options.target.kind === 'url' ? twin.options.target.url : 'the other server'
}

function sayEnd(harm: Harm | null): void {
  const lines = [...(harm?.interference ?? []), ...(harm?.differences ?? [])].map((line) => `  ${visibleLine(line)}`)
  process.stdout.write(`${[`(${listChangesLine(harm)})`, ...lines].join('\n')}\n`)
}
