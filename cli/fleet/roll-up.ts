import type { Report } from '../../reports/report.ts'
import { type Fleet, type FleetInstall, fleetSchemaName, type Shard } from '../fleet-document.ts'
import { kit } from '../kit.ts'
import { worstOf } from './worst.ts'

/** The requirements that installs were judged by, by their ids. */
export type Requirements = Map<string, Fleet['requirements'][number]>

/** Adds those of a report, which itself is not kept: a fleet has many. */
export function addRequirements(requirements: Requirements, report: Report | null): void {
  for (const { id, clause, level } of report?.requirements ?? []) requirements.set(id, { id, clause, level })
}

interface Round {
  readonly startedAt: Date
  readonly shard: Shard | null
  readonly requirements: Requirements
}

/** What was judged since `startedAt` as one document. */
export function rollUp(installs: readonly FleetInstall[], { startedAt, shard, requirements }: Round): Fleet {
  return {
    schema: fleetSchemaName,
    kit,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    exitCode: worstOf(installs.map((install) => install.exitCode)),
    shard,
    missingShards: [],
    requirements: [...requirements.values()],
    installs: [...installs],
  }
}
