import picomatch from 'picomatch'
import { literal } from '../../http/redact.ts'
import {
  createSimulator,
  type ProfileOptions,
  type SimulatorOptions,
  type Rule as SimulatorRule,
} from '../../simulator/index.ts'
import { directTransport } from '../../suites/client/transport.ts'
import type { Rule } from '../../suites/model/rule.ts'
import { cleanUpAfterCheck } from '../../suites/runner/plugin/clean-up-after-check.ts'
import type { PluginContext } from '../../suites/runner/plugin/context.ts'
import { createPluginContext } from '../../suites/runner/plugin/create-context.ts'
import type { PluginSettings } from '../../suites/runner/plugin/settings.ts'
import { ownByRange } from '../../suites/safety/ownership.ts'
import type { ComparisonScope } from '../../suites/twin/compare.ts'
import { type Name, nameDivergence } from '../../suites/twin/name.ts'
import { type SearchOptions, type SearchResult, search } from '../../suites/twin/search.ts'
import type { ComparedServer } from '../../suites/twin/server-pair.ts'

/** Its list is restored after each sequence, through the guard if there is one. */
export function comparedServer(context: PluginContext): ComparedServer {
  const { risk } = context.settings
  const reset = async () => {
    // Reads change nothing, and the list of the target may be unreadable.
    if (risk !== 'read') {
      context.before ??= await context.main.rules.read()
      await cleanUpAfterCheck(context)
      // A recreated server has its initial list again and must return to it from now on.
      context.before ??= await context.main.rules.read()
    }
    context.recorder.take()
  }
  return { context, reset }
}

interface TwinOptions {
  readonly settings: PluginSettings
  readonly profile: ProfileOptions | null
  /** Name, version and licence of the target, used without a profile. */
  readonly plugin: NonNullable<SimulatorOptions['plugin']>
  readonly rules: readonly Rule[]
  readonly capacity: number | null
  readonly override?: SimulatorOptions['override']
}

/** Room for the rules of a sequence if the capacity is unknown. */
const room = 1000

/** Starts the simulator with the list of the target, and restarts it for each sequence. */
export async function startTwin(options: TwinOptions): Promise<ComparedServer & AsyncDisposable> {
  const { settings, profile, plugin, rules, capacity, override } = options
  const { key, server, capabilities } = settings.target
  const simulator = createSimulator({
    ...profile,
    port: 0,
    apiKey: key,
    capacity: capacity ?? rules.length + room,
    plugin: profile === null ? plugin : (profile.plugin ?? {}),
    rules: rules.map(seed),
    ...(override === undefined ? {} : { override }),
  })
  const file = await simulator.rulesFile.read()
  await simulator.start()
  const target = {
    kind: 'simulator',
    url: simulator.url,
    transport: directTransport,
    key,
    server: server && 'twin',
    capabilities,
    capacity,
  } as const
  const context = createPluginContext({ ...settings, target, safety: null, maxRequestsPerSecond: null }, null)
  const reset = async () => {
    await simulator.crash()
    if (file !== undefined) await simulator.rulesFile.write(file)
    await simulator.start()
    context.restarted()
    context.before = rules
    context.recorder.take()
  }
  return {
    context,
    reset,
    [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose](),
  }
}

function seed({ master, follower, mode, value, direction }: Rule): SimulatorRule {
  return {
    master: BigInt(master),
    follower: BigInt(follower),
    mode: mode === 'fixed' ? 'fixed' : 'mult',
    value,
    direction: direction === 'reverse' ? 'reverse' : 'same',
  }
}

export interface ComparisonOptions extends Omit<SearchOptions, 'isOwn'> {
  /** The initial list of both servers. */
  readonly before: readonly Rule[]
}

/** `name` is null if the servers never differed. */
export interface ComparisonResult extends SearchResult {
  readonly name: Name | null
}

/** Searches for a difference, or for `every`: after each one it continues without the steps that show the same. */
export async function compareAll(options: ComparisonOptions, every: boolean): Promise<readonly ComparisonResult[]> {
  const compared = await compareServers(options)
  const { divergence, name } = compared
  const asked = name?.kind === 'question' ? name.question.id : null
  const steps = options.steps.filter((step) => step !== divergence?.step && (asked === null || step.question !== asked))
  const maxRequests = options.maxRequests - compared.requests
  const hasMore = every && steps.length > 0 && steps.length < options.steps.length
  if (!hasMore || maxRequests <= 0 || options.signal.aborted) return [compared]
  return [compared, ...(await compareAll({ ...options, steps, maxRequests }, every))]
}

/** Searches for a difference between two servers and names it. */
export async function compareServers(options: ComparisonOptions): Promise<ComparisonResult> {
  const { target, twin, before, ...rest } = options
  const isOwn = ownByRange(target.context.settings.logins, before)
  const searched = await search({ ...rest, target, twin, isOwn })
  const { divergence } = searched
  if (divergence === null) return { ...searched, name: null }
  const name = await nameDivergence({ divergence, target: target.context, twin: twin.context })
  await target.reset()
  await twin.reset()
  return { ...searched, name }
}

/** Compares every path that no glob ignores, and only error texts that the profile records. */
export function scopeOf(profile: ProfileOptions | null, ignored: readonly string[] = []): ComparisonScope {
  const texts = Object.values(profile?.errorTexts ?? {}).map((text) => {
    const parts = text.split(/\{(?:field|allow|method|path)\}/).map(literal)
    return new RegExp(`^${parts.join('.*')}$`, 's')
  })
  return {
    isRecorded: (text) => texts.some((pattern) => pattern.test(text)),
    isIgnored: ignored.length === 0 ? () => false : picomatch([...ignored]),
  }
}
