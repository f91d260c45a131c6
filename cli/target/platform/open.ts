import { randomBytes } from 'node:crypto'
import { proxySecrets, simulatorTransport } from '../../../suites/client/transport.ts'
import { listPaths } from '../../../suites/session/account-list.ts'
import type { Capability } from '../../../suites/session/check.ts'
import type { PlatformTarget } from '../../../suites/targets/platform-target.ts'
import { defaultVendor } from '../../options/platform-options.ts'
import type { RunOptions } from '../../options/run-options.ts'

/** A platform that is ready to be judged. */
export interface OpenPlatform {
  readonly target: PlatformTarget
  /** The most accounts that may be created; infinite on a platform of the kit's own. */
  readonly maxAccounts: number
  /** Texts that no output may contain. */
  readonly secrets: readonly string[]
  /** Ends what was started. */
  close(): Promise<void>
}

const embeddedGroup = 'demo'

/** Starts the embedded platform where it is judged; null where no platform is. */
export async function openPlatform({ platform, platformRisk: risk }: RunOptions): Promise<OpenPlatform | null> {
  if (platform === null) return null
  // People see it in their lists for ever: it says whose it is, and from when.
  const label = `copytrade-tck ${new Date().toISOString().slice(0, 10)} ${randomBytes(2).toString('hex')}`
  if (platform.kind === 'url') {
    const { url, transport, key, secret, vendor, group, maxAccounts } = platform
    const capabilities: readonly Capability[] = [
      'platform',
      ...(secret === null ? [] : (['platform-secret'] as const)),
      ...(group === null ? [] : (['platform-group'] as const)),
    ]
    const safety = { ledgerFile: null, mostAccounts: 0 }
    const common = { url, transport, key, secret, vendor, group, listPaths: platform.listPaths }
    const target = { ...common, risk, owned: false, label, capabilities, safety }
    return {
      target,
      maxAccounts,
      secrets: [key, ...(secret === null ? [] : [secret]), ...proxySecrets(transport)],
      close: async () => undefined,
    }
  }
  const { startEmbeddedPlatform } = await import('../../../suites/targets/embedded-platform.ts')
  const { key, secret } = embeddedKeys()
  const { url, stop } = await startEmbeddedPlatform({ apiKey: key, apiSecret: secret }, { vendor: defaultVendor })
  const target: PlatformTarget = {
    url,
    transport: simulatorTransport,
    key,
    secret,
    vendor: defaultVendor,
    listPaths,
    risk,
    owned: true,
    group: embeddedGroup,
    label,
    capabilities: ['platform', 'platform-secret', 'platform-group', 'own-platform'],
    safety: null,
  }
  return { target, maxAccounts: Number.POSITIVE_INFINITY, secrets: [key, secret], close: stop }
}

/** A key pair for a platform in this process. */
export function embeddedKeys(): { readonly key: string; readonly secret: string } {
  return {
    key: `bk_test_${randomBytes(20).toString('hex')}`,
    secret: randomBytes(48).toString('hex'),
  }
}
