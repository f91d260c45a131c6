import { type Capability, ownServerCapabilities, type Risk } from '../../../suites/session/check.ts'

/** What a run may do and knows. */
export interface Conditions {
  readonly risk: Risk
  readonly capabilities: readonly Capability[]
  /** Whether the server holds rules that must stay. */
  readonly shared: boolean
}

/** What a user's run may do and knows, where a self-test knows and may do everything. */
export interface RunScope extends Conditions {
  readonly id: string
  /** How such a run is started. */
  readonly summary: string
}

/** With the choice of a capacity, since the servers of users have room for long lists and the simulator for 32 rules. */
const exec = [...ownServerCapabilities, 'capacity'] as const

/** The usual runs, from the one that sees the least. */
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
