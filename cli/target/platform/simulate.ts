import { randomBytes } from 'node:crypto'
import { simulatorTransport } from '../../../suites/client/transport.ts'
import type { PlatformSettings } from '../../../suites/runner/platform/context.ts'
import { listPaths } from '../../../suites/session/account-list.ts'
import type { EmbeddedPlatformOptions } from '../../../suites/targets/embedded-platform.ts'
import type { PlatformTarget } from '../../../suites/targets/target.ts'
import { defaultVendor } from '../../options/run-definitions.ts'
import type { SimulatedApi } from '../api.ts'

/** The settings of a platform that the run provides. */
export type Granted = Pick<PlatformTarget, 'key' | 'secret' | 'risk' | 'label'>

export async function startPlatform(granted: Granted, options: EmbeddedPlatformOptions = {}) {
  const { startEmbeddedPlatform } = await import('../../../suites/targets/embedded-platform.ts')
  const { vendor = defaultVendor } = options
  const keyPair = { apiKey: granted.key, apiSecret: granted.secret ?? '' }
  const { url, stop } = await startEmbeddedPlatform(keyPair, { ...options, vendor })
  const target: PlatformTarget = {
    ...{ ...granted, url, transport: simulatorTransport, vendor, listPaths },
    owned: true,
    group: 'demo',
    capabilities: ['platform', 'platform-secret', 'platform-group', 'own-platform'],
    safety: null,
  }
  return { target, stop }
}

/** Starts a simulator in this process that replaces a platform in a dry run. */
export async function simulatePlatform({ target, ...settings }: PlatformSettings): Promise<SimulatedApi> {
  const { vendor, group, risk, label, capabilities, owned } = target
  const { key, secret } = randomKeyPair()
  const groups = group === null ? {} : { groups: [group] }
  const { target: started, stop } = await startPlatform({ key, secret, risk, label }, { vendor, ...groups })
  const known = { owned, group, capabilities, secret: target.secret && secret }
  const simulated: PlatformSettings = {
    ...settings,
    target: { ...started, ...known },
    maxRequestsPerSecond: null,
    secrets: [...settings.secrets, key, secret],
  }
  return { settings: simulated, driver: null, stop }
}

/** A random key pair for an embedded platform. */
export function randomKeyPair(): { readonly key: string; readonly secret: string } {
  return {
    key: `bk_test_${randomBytes(20).toString('hex')}`,
    secret: randomBytes(48).toString('hex'),
  }
}
