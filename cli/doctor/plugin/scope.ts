import { pluginChecks, pluginObservations } from '../../../suites/checks/plugin/all.ts'
import { plan } from '../../../suites/runner/plan.ts'
import type { Risk } from '../../../suites/session/check.ts'
import { capabilitiesOf } from '../../life-cycle/capabilities.ts'
import type { Finding } from '../examination.ts'
import type { PluginLook } from './context.ts'

const risks: readonly Risk[] = ['read', 'write', 'exclusive']

/** How many checks each risk would run against this target. */
export function examineChecks({ capacity, lifeCycle }: PluginLook): Finding {
  const checks = [...pluginChecks, ...pluginObservations]
  const driven = lifeCycle === null ? [] : capabilitiesOf(lifeCycle).capabilities
  const capabilities = [...driven, ...(capacity === null ? [] : (['stated-capacity'] as const))]
  const counts = risks.map((risk) => {
    const planned = plan({ checks, risk, capabilities, shared: lifeCycle !== null, only: [], skip: [] })
    return `${risk} ${planned.filter(({ outOfScope }) => outOfScope === null).length}`
  })
  const others = driven.includes('launch')
    ? 'a server that the kit starts (`--exec`)'
    : 'hooks, `--manual`, or a server that the kit starts (`--exec`)'
  return {
    state: 'ok',
    finding: `of ${checks.length} checks, --risk selects: ${counts.join(', ')}`,
    remedy: `The others require ${capacity === null ? '`--capacity`, or ' : ''}${others}.`,
  }
}
