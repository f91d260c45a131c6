import { capabilityReasons } from '../../suites/session/check.ts'
import type { StepName } from '../../suites/targets/live/step.ts'
import type { LifeCycle } from '../options/life-cycle-options.ts'

/** The capabilities that hooks and a person provide, and why others are missing; null for neither. */
export function capabilitiesOf(lifeCycle: Pick<LifeCycle, 'hooks' | 'manual'> | null) {
  const { hooks, manual } = lifeCycle ?? { hooks: {}, manual: false }
  const can = (step: StepName) => manual || hooks[step] !== undefined
  const hookFor = (step: StepName) => (can(step) ? [] : [`\`--hook-${step}\``])
  const restart = can('restart') || (can('stop') && can('start')) ? [] : [missingRestart(hooks)]
  const [parameters, rulesFile] = [hookFor('set-parameters'), hookFor('delete-rules-file')]
  const missingHooks = Object.entries({
    restart,
    parameters: [...restart, ...parameters],
    'delete-rules-file': [...restart, ...rulesFile],
    launch: [...restart, ...parameters, ...rulesFile],
  }) as ['restart' | 'parameters' | 'delete-rules-file' | 'launch', readonly string[]][]
  const reasons = missingHooks.flatMap(([capability, missing]) => {
    const [impossible] = capabilityReasons[capability].split(':', 1)
    const remedy = `give ${missing.join(', ')}, or \`--manual\` (or use \`--exec\` or \`--container\`)`
    return missing.length === 0 ? [] : [[capability, `${impossible}: ${remedy}`]]
  })
  return {
    capabilities: missingHooks.filter(([, missing]) => missing.length === 0).map(([capability]) => capability),
    missing: Object.fromEntries(reasons),
  }
}

function missingRestart(hooks: LifeCycle['hooks']): string {
  const half = hooks.stop === undefined ? hooks.start && '`--hook-stop`' : '`--hook-start`'
  return half ? `\`--hook-restart\` or ${half}` : '`--hook-restart`'
}
