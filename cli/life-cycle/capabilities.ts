import type { MissingCapabilities } from '../../suites/runner/plan.ts'
import type { Capability } from '../../suites/session/check.ts'
import type { StepName } from '../../suites/targets/live/step.ts'
import type { LifeCycle } from '../options/life-cycle-options.ts'

/** The capabilities of a server that the kit did not start, and why it lacks others. */
export interface DrivenCapabilities {
  readonly capabilities: readonly Capability[]
  readonly missing: MissingCapabilities
}

/** The capabilities that hooks and a person provide. */
export function capabilitiesOf({ hooks, manual }: Pick<LifeCycle, 'hooks' | 'manual'>): DrivenCapabilities {
  const can = (step: StepName) => manual || hooks[step] !== undefined
  const restarts = can('restart') || (can('stop') && can('start'))
  const lacking = [
    ...(restarts ? [] : [missingRestart(hooks)]),
    ...(can('set-parameters') ? [] : ['`--hook-set-parameters`']),
    ...(can('delete-rules-file') ? [] : ['`--hook-delete-rules-file`']),
  ]
  const needs = (...hookNames: readonly string[]) => {
    const missing = lacking.filter((hook) => hookNames.some((name) => hook.includes(name)))
    return missing.length === 0 ? null : `requires ${missing.join(', ')} (or \`--manual\`)`
  }
  const restart = '--hook-restart'
  const reasons: Partial<Record<Capability, string | null>> = {
    restart: needs(restart),
    parameters: needs(restart, '--hook-set-parameters'),
    'delete-rules-file': needs(restart, '--hook-delete-rules-file'),
    launch: needs(restart, '--hook-set-parameters', '--hook-delete-rules-file'),
  }
  const entries = Object.entries(reasons) as [Capability, string | null][]
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
