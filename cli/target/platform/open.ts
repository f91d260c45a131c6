import { simulatorTransport } from '../../../suites/client/transport.ts'
import { listPaths } from '../../../suites/session/account-list.ts'
import type { Capability, Risk } from '../../../suites/session/check.ts'
import type { PlatformTarget } from '../../../suites/targets/platform-target.ts'
import type { PlatformChoice } from '../../options/platform-options.ts'
import { defaultVendor } from '../../options/run-definitions.ts'

interface Granted {
  readonly risk: Risk
  /** What the names of the kit's accounts begin with. */
  readonly label: string
}

/** A platform that runs already. Sends nothing. */
export function reachPlatform(
  { url, transport, key, secret, vendor, group, listPaths: paths }: Extract<PlatformChoice, { kind: 'url' }>,
  { risk, label }: Granted,
): PlatformTarget {
  const capabilities: readonly Capability[] = [
    'platform',
    ...(secret === null ? [] : (['platform-secret'] as const)),
    ...(group === null ? [] : (['platform-group'] as const)),
  ]
  const reached = { url, transport, key, secret, vendor, group, listPaths: paths }
  return { ...reached, risk, owned: false, label, capabilities, safety: { ledgerFile: null, mostAccounts: 0 } }
}

/** Starts the embedded platform. */
export async function startPlatform({
  key,
  secret,
  risk,
  label,
}: Granted & { readonly key: string; readonly secret: string }) {
  const { startEmbeddedPlatform } = await import('../../../suites/targets/embedded-platform.ts')
  const { url, stop } = await startEmbeddedPlatform({ apiKey: key, apiSecret: secret }, { vendor: defaultVendor })
  const target: PlatformTarget = {
    ...{ url, transport: simulatorTransport, key, secret, vendor: defaultVendor, listPaths, risk, label },
    owned: true,
    group: 'demo',
    capabilities: ['platform', 'platform-secret', 'platform-group', 'own-platform'],
    safety: null,
  }
  return { target, stop }
}
