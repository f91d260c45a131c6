import type { Draft } from '../../../suites/model/rule.ts'
import { type Capability, ownServerCapabilities, type Risk } from '../../../suites/session/check.ts'

/** The limits of a run. */
export interface Conditions {
  readonly risk: Risk
  readonly capabilities: readonly Capability[]
  /** Whether the server has foreign rules that must stay. */
  readonly shared: boolean
  /** The foreign rules. Default: two. */
  readonly rules?: readonly Draft[]
}

/** A typical run of a user. A self-test has no such limits. */
export interface RunScope extends Conditions {
  readonly id: string
  /** The command that starts such a run. */
  readonly summary: string
}

/** Includes `capacity`, since users' servers have room for long lists but the simulator only for 32 rules. */
const exec = [...ownServerCapabilities, 'capacity'] as const

/** Typical runs, starting with the most limited one. */
export const runScopes: readonly RunScope[] = [
  { id: 'read', summary: '`--target`', risk: 'read', capabilities: [], shared: true },
  { id: 'write', summary: '`--target --risk write`', risk: 'write', capabilities: [], shared: true },
  { id: 'exclusive', summary: '`--target --risk exclusive`', risk: 'exclusive', capabilities: [], shared: true },
  {
    id: 'restart-hook',
    summary: '`--target --risk exclusive --hook-restart`',
    risk: 'exclusive',
    capabilities: ['restart'],
    shared: true,
  },
  { id: 'exec', summary: '`--exec`', risk: 'exclusive', capabilities: exec, shared: false },
  {
    id: 'exec-capacity',
    summary: '`--exec --capacity`',
    risk: 'exclusive',
    capabilities: [...exec, 'stated-capacity'],
    shared: false,
  },
]
