import type { Fleet, Shard } from '../fleet-document.ts'
import { kit } from '../kit.ts'

/** A fleet of installs in which one check failed. */
export function fleetOf(names: readonly string[], shard: Shard | null = null, exitCode = 0): Fleet {
  const requirement = { id: 'plugin.status.ok', clause: '4.1', level: 'required' } as const
  const failure = { check: 'CT-201', requirement: requirement.id, level: 'required', code: null } as const
  return {
    schema: 'copytrade-tck/fleet@1',
    kit,
    startedAt: '2026-03-04T09:15:00.000Z',
    durationMs: 1000,
    exitCode,
    shard,
    missingShards: [],
    requirements: [requirement],
    installs: names.map((name) => ({
      ...{ name, target: 'http://127.0.0.1:1', risk: 'read', exitCode, verdict: 'non-conformant' },
      ...{ explanation: 'It failed.', startedAt: '2026-03-04T09:15:00.000Z', durationMs: 1, folder: name },
      plugin: null,
      statuses: { [requirement.id]: 'failed' },
      failures: [{ ...failure, message: 'wrong', known: false }],
    })),
  }
}
