import { join } from 'node:path'
import { directTransport, simulatorTransport } from '../../../suites/client/transport.ts'
import type { MissingCapabilities } from '../../../suites/runner/plan.ts'
import { type Capability, ownServerCapabilities } from '../../../suites/session/check.ts'
import type { ExecOptions } from '../../../suites/targets/exec.ts'
import type { OwnDriver } from '../../../suites/targets/own-servers.ts'
import type { Target } from '../../../suites/targets/target.ts'
import { capabilitiesOf } from '../../life-cycle/capabilities.ts'
import type { RunOptions, TargetChoice } from '../../options/run-options.ts'
import type { SessionTerms } from '../api.ts'
import { openContainerDriver } from './open-container.ts'
import { startMain } from './start-main.ts'

/** The simulator's capacity in a run: small, so that it is reached soon. */
const embeddedCapacity = 24

/** Foreign rules, so that the checks meet a list that is not empty and must not be changed. */
const rulesOfOthers = {
  Copy_1: '1001>2001,mult,1.5,same',
  Copy_2: '1001>2002,fixed,0.01,reverse',
  Copy_3: '1002>2003,mult,0.25,same',
}

/** A plugin that can be reached, and what can be done to it. */
export interface Reached {
  readonly target: Target
  /** Null where the kit cannot start servers. */
  readonly driver: OwnDriver | null
  /** Why this target lacks capabilities, where it is known better than in general. */
  readonly missing: MissingCapabilities
}

/** A server that runs already. Sends nothing. */
export function reachRunning(
  { url, transport, key }: Extract<TargetChoice, { kind: 'url' }>,
  temporaryKey: string,
  { lifeCycle, capacity }: RunOptions,
): Reached {
  const driven = capabilitiesOf(lifeCycle)
  const target: Target = {
    ...{ kind: 'url', url, transport, key, server: null, capacity },
    ...(lifeCycle === null ? {} : { temporaryKey }),
    capabilities: [...driven.capabilities, ...statedCapacity(capacity)],
  }
  return { target, driver: null, missing: driven.missing }
}

/**
 * Starts a server for the kit alone.
 *
 * @throws {UnreachableError} when it does not answer
 */
export async function startOwn(
  kind: 'simulator' | 'exec' | 'container',
  key: string,
  options: RunOptions,
  { shared, signal }: Pick<SessionTerms, 'shared' | 'signal'>,
): Promise<Reached> {
  const { driver, capacity, capabilities } = await createDriver(options, shared.redact)
  const settings = { parameters: { API_Key: key, ...rulesOfOthers }, port: 'given', capacity } as const
  const { id: server, url } = await startMain(driver, settings, {
    kind: kind === 'container' ? kind : 'exec',
    log: logOf(options),
    signal,
  })
  const transport = kind === 'simulator' ? simulatorTransport : directTransport
  const forwarded = kind === 'container' ? ({ forwarded: true } as const) : {}
  const target: Target = { ...{ kind, url, transport, key, server, capabilities, capacity }, ...forwarded }
  return { target, driver, missing: {} }
}

/** The file with the output of the servers. */
function logOf({ out }: RunOptions): string {
  return join(out, 'server.log')
}

interface Driven {
  readonly driver: OwnDriver
  readonly capacity: number | null
  readonly capabilities: readonly Capability[]
}

/** Each driver is loaded only when it is needed: the command must start fast. */
async function createDriver(options: RunOptions, redact: (text: string) => string): Promise<Driven> {
  const common: readonly Capability[] = ownServerCapabilities
  const { target, capacity: stated } = options
  if (target.kind === 'exec' || target.kind === 'container') {
    const started = { outputFile: logOf(options), redact, readyMs: 30_000, graceMs: 5_000 }
    const driver =
      target.kind === 'exec'
        ? await openExecDriver({ ...started, command: target.command, briefMs: 1_500 })
        : await openContainerDriver({ ...started, image: target.image, briefMs: 3_000 })
    return { driver, capacity: stated, capabilities: [...common, ...statedCapacity(stated)] }
  }
  const { createEmbeddedDriver } = await import('../../../suites/targets/embedded.ts')
  const capacity = stated ?? embeddedCapacity
  return {
    driver: createEmbeddedDriver({ capacity }),
    capacity,
    capabilities: [...common, 'capacity', ...statedCapacity(capacity)],
  }
}

async function openExecDriver(options: ExecOptions): Promise<OwnDriver> {
  const { createExecDriver } = await import('../../../suites/targets/exec.ts')
  return createExecDriver(options)
}

function statedCapacity(capacity: number | null): readonly Capability[] {
  return capacity === null ? [] : ['stated-capacity']
}
