import type { MissingCapabilities } from '../../suites/runner/plan.ts'
import type { Capability } from '../../suites/session/check.ts'
import type { StepName } from '../../suites/targets/live/step.ts'
import type { LifeCycle } from '../options/life-cycle-options.ts'

/** The capabilities of a running server, and why it lacks others. */
export interface DrivenCapabilities {
  readonly capabilities: readonly Capability[]
  readonly missing: MissingCapabilities
}

const impossible: Readonly<Partial<Record<Capability, string>>> = {
  restart: 'the kit cannot restart this server',
  parameters: 'the kit cannot set the parameters of this server',
  'delete-rules-file': 'the kit cannot delete the rules file of this server',
  launch: 'the kit cannot start this server with parameters of its own',
}

/** The capabilities that hooks and a person provide; null for neither. */
export function capabilitiesOf(lifeCycle: Pick<LifeCycle, 'hooks' | 'manual'> | null): DrivenCapabilities {
  const { hooks, manual } = lifeCycle ?? { hooks: {}, manual: false }
  const can = (step: StepName) => manual || hooks[step] !== undefined
  const restarts = can('restart') || (can('stop') && can('start'))
  const lacking = [
    ...(restarts ? [] : [missingRestart(hooks)]),
    ...(can('set-parameters') ? [] : ['`--hook-set-parameters`']),
    ...(can('delete-rules-file') ? [] : ['`--hook-delete-rules-file`']),
  ]
  const needs = (capability: Capability, ...hookNames: readonly string[]): [Capability, string | null] => {
    const missing = lacking.filter((hook) => hookNames.some((name) => hook.includes(name)))
    if (missing.length === 0) return [capability, null]
    const remedy = `give ${missing.join(', ')}, or \`--manual\` (or use \`--exec\` or \`--container\`)`
    return [capability, `${impossible[capability]}: ${remedy}`]
  }
  const restart = '--hook-restart'
  const entries = [
    needs('restart', restart),
    needs('parameters', restart, '--hook-set-parameters'),
    needs('delete-rules-file', restart, '--hook-delete-rules-file'),
    needs('launch', restart, '--hook-set-parameters', '--hook-delete-rules-file'),
  ]
  return {
    capabilities: entries.filter(([, reason]) => reason === null).map(([capability]) => capability),
    missing: {
      ...Object.fromEntries(entries.filter(([, reason]) => reason !== null)),
      port: 'the port of this server cannot be chosen: requires `--exec` or `--container`',
      crash: 'this server cannot be killed: requires `--exec` or `--container`',
      'rules-file': 'the rules file of this server cannot be read or written: requires `--exec` or `--container`',
    },
  }
}

function missingRestart(hooks: LifeCycle['hooks']): string {
  const half = hooks.stop === undefined ? hooks.start && '`--hook-stop`' : '`--hook-start`'
  return half ? `\`--hook-restart\` or ${half}` : '`--hook-restart`'
}
