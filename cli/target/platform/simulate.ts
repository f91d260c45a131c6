import { randomBytes } from 'node:crypto'
import type { PlatformSimulatorOptions } from '../../../simulator/platform/index.ts'
import { simulatorTransport } from '../../../suites/client/transport.ts'
import type { PlatformSettings } from '../../../suites/runner/platform/context.ts'
import { listPaths } from '../../../suites/session/account-list.ts'
import type { PlatformTarget } from '../../../suites/targets/target.ts'
import { defaultVendor } from '../../options/run-definitions.ts'
import type { SimulatedApi } from '../api.ts'

/** What checks may need of a platform. */
export const platformCapabilities = ['platform', 'platform-secret', 'platform-group', 'disposable-platform'] as const

/** The settings of a platform that the run provides. */
export type Granted = Pick<PlatformTarget, 'key' | 'secret' | 'risk' | 'label'>

export type SimulatedPlatform = Pick<PlatformSimulatorOptions, 'profile' | 'override' | 'groups' | 'vendor' | 'file'>

/** Starts a platform simulator in this process, with a real port. The secret must be longer than 64 bytes. */
export async function startPlatform(granted: Granted, options: SimulatedPlatform = {}) {
  // Loaded only here, since a run must start fast.
  const { createPlatformSimulator } = await import('../../../simulator/platform/index.ts')
  const { vendor = defaultVendor } = options
  const keyPair = { apiKey: granted.key, apiSecret: granted.secret ?? '' }
  const simulator = createPlatformSimulator({ ...options, vendor, keyPair })
  await simulator.start()
  const target: PlatformTarget = {
    ...{ ...granted, url: simulator.url, transport: simulatorTransport, vendor, listPaths },
    owned: true,
    group: 'demo',
    accountTerms: {},
    capabilities: platformCapabilities,
    safety: null,
  }
  return { target, maxAccounts: Number.POSITIVE_INFINITY, stop: () => simulator.crash() }
}

/** Starts a simulator in this process that replaces a platform in a dry run. */
export async function simulatePlatform({ target, ...settings }: PlatformSettings): Promise<SimulatedApi> {
  const { vendor, group, accountTerms, risk, label, capabilities, owned } = target
  const { key, secret } = randomKeyPair()
  const groups = group === null ? {} : { groups: [group] }
  const { target: started, stop } = await startPlatform({ key, secret, risk, label }, { vendor, ...groups })
  const known = { owned, group, accountTerms, capabilities, secret: target.secret && secret }
  const simulated: PlatformSettings = {
    ...settings,
    target: { ...started, ...known },
    maxRequestsPerSecond: null,
    secrets: [...settings.secrets, key, secret],
  }
  return { settings: simulated, driver: null, stop }
}

export function randomKeyPair(): { readonly key: string; readonly secret: string } {
  return {
    key: `bk_test_${randomBytes(20).toString('hex')}`,
    secret: randomBytes(48).toString('hex'),
  }
}
