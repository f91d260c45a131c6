import { simulatorTransport } from '../../../suites/client/transport.ts'
import type { PlatformSettings } from '../../../suites/runner/platform/context.ts'
import { listPaths } from '../../../suites/session/account-list.ts'
import type { SimulatedApi } from '../api.ts'
import { randomKeyPair } from './key-pair.ts'

/** A simulator in this process that stands for a platform in a dry run. */
export async function simulatePlatform({ target, ...settings }: PlatformSettings): Promise<SimulatedApi> {
  const { startEmbeddedPlatform } = await import('../../../suites/targets/embedded-platform.ts')
  const { key, secret } = randomKeyPair()
  const { vendor, group } = target
  const groups = group === null ? {} : { groups: [group] }
  const { url, stop } = await startEmbeddedPlatform({ apiKey: key, apiSecret: secret }, { vendor, ...groups })
  const reached = { url, transport: simulatorTransport, key, secret: target.secret && secret, listPaths }
  return {
    settings: {
      platform: {
        ...settings,
        target: { ...target, ...reached, safety: null },
        maxRequestsPerSecond: null,
        secrets: [...settings.secrets, key, secret],
      },
    },
    driver: null,
    stop,
  }
}
