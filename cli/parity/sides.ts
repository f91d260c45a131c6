import { createSimulator, type ProfileOptions, type Rule, type SimulatorOptions } from '../../simulator/index.ts'
import { directTransport } from '../../suites/client/transport.ts'
import type { Rule as ListedRule } from '../../suites/model/rule.ts'
import { createPluginContext, type PluginContext } from '../../suites/runner/plugin/context.ts'
import type { PluginSettings } from '../../suites/runner/plugin/settings.ts'
import { settle } from '../../suites/runner/plugin/settle.ts'
import type { PairedServer } from '../../suites/twin/server-pair.ts'

/** A server of the pair, and the context in which checks run against it. */
export interface OpenSide {
  readonly side: PairedServer
  readonly context: PluginContext
}

/** A server of the pair. Its list is restored after each sequence, through the guard if there is one. */
export function sideOf(context: PluginContext): OpenSide {
  const { url, key } = context.settings.target
  const reset = async () => {
    context.before ??= await context.main.rules.read()
    await settle(context)
    // A recreated server has its initial list again, and is compared with that list from now on.
    context.before ??= await context.main.rules.read()
    context.recorder.take()
  }
  return { context, side: { access: context.main, url, key, reset } }
}

export interface TwinOptions {
  /** The settings of the target session. */
  readonly settings: PluginSettings
  readonly profile: ProfileOptions | null
  /** Name, version and licence of the target, for what the profile does not record. */
  readonly plugin: NonNullable<SimulatorOptions['plugin']>
  /** The initial list of the target. */
  readonly rules: readonly ListedRule[]
  readonly capacity: number | null
  /** A defect to simulate. */
  readonly override?: SimulatorOptions['override']
}

/** Space for the rules of a sequence, where the capacity is not known. */
const room = 1000

/** Starts the simulator with the list of the target, and restarts it for each sequence. */
export async function startTwin(options: TwinOptions): Promise<OpenSide & AsyncDisposable> {
  const { settings, profile, plugin, rules, capacity, override } = options
  const { key, server, capabilities } = settings.target
  const simulator = createSimulator({
    ...profile,
    port: 0,
    apiKey: key,
    capacity: capacity ?? rules.length + room,
    plugin: { ...plugin, ...profile?.plugin },
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
    context.before = rules
    context.recorder.take()
  }
  return {
    context,
    side: { access: context.main, url: simulator.url, key, reset },
    [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose](),
  }
}

function seed({ master, follower, mode, value, direction }: ListedRule): Rule {
  return {
    master: BigInt(master),
    follower: BigInt(follower),
    mode: mode === 'fixed' ? 'fixed' : 'mult',
    value,
    direction: direction === 'reverse' ? 'reverse' : 'same',
  }
}
