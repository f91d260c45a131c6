import { type Fleet, fleetSchemaName, type Shard } from '../fleet-document.ts'
import { kit } from '../kit.ts'
import type { JudgedInstall } from './judge-install.ts'
import { worstOf } from './worst.ts'

/** What was judged since `startedAt` as one document. */
export function rollUp(
  judged: readonly JudgedInstall[],
  { startedAt, shard }: { readonly startedAt: Date; readonly shard: Shard | null },
): Fleet {
  const requirements = judged.flatMap((one) => one.requirements)
  return {
    schema: fleetSchemaName,
    kit,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    exitCode: worstOf(judged.map(({ install }) => install.exitCode)),
    shard,
    missingShards: [],
    requirements: [...new Map(requirements.map((requirement) => [requirement.id, requirement])).values()],
    installs: judged.map(({ install }) => install),
  }
}
