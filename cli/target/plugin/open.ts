import type { NetConnectOpts } from 'node:net'
import { join } from 'node:path'
import { connectionFailure } from '../../../suites/client/connect.ts'
import { directTransport, simulatorTransport } from '../../../suites/client/transport.ts'
import type { MissingCapabilities } from '../../../suites/runner/plan.ts'
import { type Capability, ownServerCapabilities } from '../../../suites/session/check.ts'
import { EngineFailed, type Testcontainers } from '../../../suites/targets/container/engine.ts'
import type { ContainerOptions } from '../../../suites/targets/container.ts'
import type { OwnDriver } from '../../../suites/targets/own-servers.ts'
import type { Target } from '../../../suites/targets/target.ts'
import { UnreachableError, UsageError } from '../../command-error.ts'
import { capabilitiesOf } from '../../life-cycle/capabilities.ts'
import type { RunOptions, TargetChoice } from '../../options/run-options.ts'
import type { SessionOptions } from '../api.ts'
import { startMain } from './start-main.ts'

/** The simulator's capacity in a run: small, so that it is soon reached. */
const embeddedCapacity = 24

/** Foreign rules, so that the list is not empty and must be preserved. */
const foreignRules = {
  Copy_1: '1001>2001,mult,1.5,same',
  Copy_2: '1001>2002,fixed,0.01,reverse',
  Copy_3: '1002>2003,mult,0.25,same',
}

/** A reachable plugin and what can be done to it. */
export interface Reached {
  readonly target: Target
  /** Null if the kit cannot start servers. */
  readonly driver: OwnDriver | null
  /** More specific reasons why this target lacks capabilities. */
  readonly missing: MissingCapabilities
}

type OwnChoice = Exclude<TargetChoice, { kind: 'url' | 'none' }>

/** Uses a running server. Sends nothing. */
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

/** Starts a server that only the kit uses. @throws {UnreachableError} when it does not respond */
export async function startOwn(choice: OwnChoice, key: string, terms: SessionOptions): Promise<Reached> {
  const { options, shared, signal } = terms
  const { kind } = choice
  const outputFile = join(options.out, 'server.log')
  const capacity = options.capacity ?? (kind === 'simulator' ? embeddedCapacity : null)
  const chosen: readonly Capability[] = kind === 'simulator' ? ['capacity'] : []
  const capabilities = [...ownServerCapabilities, ...chosen, ...statedCapacity(capacity)]
  const started = { outputFile, redact: shared.redact, readyMs: 30_000, graceMs: 5_000 }
  const driver = await createDriver(choice, started, capacity)
  const settings = { parameters: { API_Key: key, ...foreignRules }, port: 'given', capacity } as const
  const where = { kind: kind === 'container' ? kind : 'exec', log: outputFile, signal } as const
  const { id: server, url } = await startMain(driver, settings, where)
  const transport = kind === 'simulator' ? simulatorTransport : directTransport
  const target: Target = { kind, url, transport, key, server, capabilities, capacity }
  return { target, driver, missing: {} }
}

type StartOptions = Omit<ContainerOptions, 'testcontainers' | 'image' | 'briefMs'>

/** Drivers are loaded on demand, since the command must start fast. */
async function createDriver(choice: OwnChoice, options: StartOptions, capacity: number | null): Promise<OwnDriver> {
  if (choice.kind === 'container') return openContainerDriver({ ...options, image: choice.image, briefMs: 3_000 })
  if (choice.kind === 'exec') {
    const { createExecDriver } = await import('../../../suites/targets/exec.ts')
    return createExecDriver({ ...options, command: choice.command, briefMs: 1_500 })
  }
  const { createEmbeddedDriver } = await import('../../../suites/targets/embedded.ts')
  return createEmbeddedDriver(capacity === null ? {} : { capacity })
}

function statedCapacity(capacity: number | null): readonly Capability[] {
  return capacity === null ? [] : ['stated-capacity']
}

/** The version that the kit is tested with. */
const wanted = 'testcontainers@11.14.0'

/** @throws {UsageError} without Testcontainers, {UnreachableError} without an engine or the image */
async function openContainerDriver(options: Omit<ContainerOptions, 'testcontainers'>): Promise<OwnDriver> {
  const testcontainers = await loadTestcontainers()
  await rejectSilentDockerHost(process.env.DOCKER_HOST)
  const { createContainerDriver } = await import('../../../suites/targets/container.ts')
  try {
    return await createContainerDriver({ ...options, testcontainers })
  } catch (error) {
    if (error instanceof EngineFailed) throw new UnreachableError(error.message, error.hint, { cause: error })
    throw error
  }
}

/** Testcontainers is large and only `--container` needs it, so users install it themselves. */
async function loadTestcontainers(): Promise<Testcontainers> {
  try {
    return await import('testcontainers')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    const message = '`--container` requires the package `testcontainers`, which is not installed.'
    throw new UsageError(message, `Install it: \`npm install --save-dev ${wanted}\`.`, { cause })
  }
}

/** Testcontainers would silently fall back to another engine. */
async function rejectSilentDockerHost(dockerHost: string | undefined): Promise<void> {
  if (!dockerHost) return
  const address = addressOf(dockerHost)
  const reason = address && (await connectionFailure(address, 5_000))
  if (reason === null) return
  throw new UnreachableError(
    `No container engine responds at \`DOCKER_HOST=${dockerHost}\`: ${reason}.`,
    'Start it, or unset `DOCKER_HOST` to use the default socket.',
  )
}

/** Null for addresses that only Testcontainers supports, such as Windows named pipes. */
function addressOf(dockerHost: string): NetConnectOpts | null {
  const path = /^unix:\/\/(.+)$/.exec(dockerHost)?.[1]
  if (path !== undefined) return { path }
  const [, host, port] = /^(?:tcp|https?):\/\/\[?([^/]+?)\]?:(\d+)/.exec(dockerHost) ?? []
  return host === undefined ? null : { host, port: Number(port) }
}
