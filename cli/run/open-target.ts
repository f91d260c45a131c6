import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Capability, ownServerCapabilities } from '../../suites/engine/check.ts'
import type { MissingCapabilities } from '../../suites/engine/plan.ts'
import { directly, proxySecrets } from '../../suites/http/transport.ts'
import { createRedactor } from '../../suites/safety/redact.ts'
import { wrongKeys } from '../../suites/session/wrong-keys.ts'
import type { OwnDriver } from '../../suites/targets/own-servers.ts'
import type { Target } from '../../suites/targets/target.ts'
import { UnreachableError } from '../command-error.ts'
import { capabilitiesOf } from '../life-cycle/capabilities.ts'
import type { RunOptions } from './options.ts'

/** A target that is ready to be judged, and what can be done to it. */
export interface OpenTarget {
  readonly target: Target
  /** Null where the kit cannot start servers. */
  readonly driver: OwnDriver | null
  /** Why this target lacks capabilities, where it is known better than in general. */
  readonly missing: MissingCapabilities
  /** Texts that no output may contain. */
  readonly secrets: readonly string[]
  /** Random text that the keys of launched servers begin with. */
  readonly launchKey: string
}

/** The simulator's capacity in a run: small, so that it is reached soon. */
const embeddedCapacity = 24

/** Rules of nobody, so that the checks meet a list that is not empty and must not be touched. */
const rulesOfOthers = {
  Copy_1: '1001>2001,mult,1.5,same',
  Copy_2: '1001>2002,fixed,0.01,reverse',
  Copy_3: '1002>2003,mult,0.25,same',
}

/**
 * Starts what is to be started.
 *
 * @throws {UnreachableError} when a server that the kit starts does not answer
 */
export async function openTarget(options: RunOptions): Promise<OpenTarget> {
  const launchKey = `tck-${randomBytes(12).toString('hex')}`
  const choice = options.target
  if (choice.kind === 'url') {
    const { lifeCycle } = options
    const driven = lifeCycle === null ? { capabilities: [], missing: {} } : capabilitiesOf(lifeCycle)
    // A person has to type it.
    const lockKey = lifeCycle?.manual ? `tck-${randomBytes(4).toString('hex')}` : `${launchKey}-lent`
    const target: Target = {
      kind: 'url',
      url: choice.url,
      transport: choice.transport,
      key: choice.key,
      server: null,
      ...(lifeCycle === null ? {} : { lockKey }),
      capabilities: [...driven.capabilities, ...statedCapacity(options.capacity)],
      capacity: options.capacity,
    }
    const secrets = [choice.key, lockKey, ...proxySecrets(choice.transport)]
    return { target, driver: null, missing: driven.missing, secrets, launchKey }
  }
  if (choice.kind === 'none') return { target: noPlugin(options), driver: null, missing: {}, secrets: [], launchKey }
  const key = choice.key ?? `${launchKey}-main`
  const secrets = [key, launchKey]
  const { driver, capacity, capabilities } = await createDriver(options, secrets, key)
  const parameters = { API_Key: key, ...rulesOfOthers }
  const prepared = await driver.prepare({ parameters, defaultPort: false, capacity })
  if (prepared === 'port-taken') throw new Error('no free port was found')
  const { id: server, url } = prepared
  if (!(await driver.start(server, 'ready'))) {
    await driver.discardAll()
    throw new UnreachableError(
      'The server that --exec started does not answer.',
      `Read what it printed in ${join(options.out, 'server.log')}; it must listen on 127.0.0.1 at TCK_PORT.`,
    )
  }
  const target: Target = { kind: choice.kind, url, transport: directly, key, server, capabilities, capacity }
  return { target, driver, missing: {}, secrets, launchKey }
}

/** Where a platform alone is judged it is the target; no check of the plugin is sent to it. */
function noPlugin({ platform }: RunOptions): Target {
  if (platform?.kind !== 'url') throw new Error('neither a plugin nor a platform is judged')
  const { url, transport, key } = platform
  return { kind: 'url', url, transport, key, server: null, capabilities: [], capacity: null }
}

interface Driven {
  readonly driver: OwnDriver
  readonly capacity: number | null
  readonly capabilities: readonly Capability[]
}

/** Each driver is loaded only when it is needed: the command must start fast. */
async function createDriver(options: RunOptions, secrets: readonly string[], key: string): Promise<Driven> {
  const common: readonly Capability[] = ownServerCapabilities
  if (options.target.kind === 'exec') {
    const { createExecDriver } = await import('../../suites/targets/exec.ts')
    const driver = createExecDriver({
      command: options.target.command,
      outputFile: join(options.out, 'server.log'),
      redact: createRedactor(secrets, wrongKeys(key)),
      readyMs: 30_000,
      briefMs: 1_500,
      graceMs: 5_000,
    })
    return { driver, capacity: options.capacity, capabilities: [...common, ...statedCapacity(options.capacity)] }
  }
  const { createEmbeddedDriver } = await import('../../suites/targets/embedded.ts')
  const capacity = options.capacity ?? embeddedCapacity
  return {
    driver: createEmbeddedDriver({ capacity }),
    capacity,
    capabilities: [...common, 'capacity', ...statedCapacity(capacity)],
  }
}

function statedCapacity(capacity: number | null): readonly Capability[] {
  return capacity === null ? [] : ['stated-capacity']
}
