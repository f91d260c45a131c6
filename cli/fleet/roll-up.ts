import { join } from 'node:path'
import { pageHtml } from '../../reports/html/tables.tsx'
import type { Report } from '../../reports/report.ts'
import { visibleJson } from '../../reports/visible.ts'
import { writeWhole } from '../../reports/write.ts'
import { exitCode } from '../exit-code.ts'
import { type Fleet, type FleetInstall, fleetSchemaName, type Shard } from '../fleet-document.ts'
import { kit } from '../kit.ts'
import { renderFleetJunit } from './junit.ts'
import { fleetPage } from './page.ts'

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

/** The worst first: a server that must be repaired by hand, then what says least about the servers. */
const worstFirst: readonly number[] = [
  exitCode.harmed,
  exitCode.kitError,
  exitCode.unreachable,
  exitCode.usage,
  exitCode.nonConformant,
  exitCode.incomplete,
  exitCode.conformant,
]

/** The exit code of several runs; 0 without any. */
export function worstOf(codes: readonly number[]): number {
  return worstFirst.find((code) => codes.includes(code)) ?? exitCode.conformant
}

/** Writes `fleet.json`, `fleet.html` and `junit.xml` into a folder that exists; returns the path of the page. */
export async function writeFleet(fleet: Fleet, out: string): Promise<string> {
  await writeWhole(join(out, 'fleet.json'), renderFleetJson(fleet))
  await writeWhole(join(out, 'junit.xml'), renderFleetJunit(fleet))
  return writeWhole(join(out, 'fleet.html'), pageHtml(fleetPage(fleet)))
}

/** A piece for each install, as they are many. */
function* renderFleetJson(fleet: Fleet): Generator<string> {
  const [head = '', end = ''] = visibleJson({ ...fleet, installs: [] }, 2).split('"installs": []')
  yield `${head}"installs": [`
  for (const [place, install] of fleet.installs.entries()) {
    yield `${place === 0 ? '' : ','}\n    ${visibleJson(install, 0)}`
  }
  yield `\n  ]${end}\n`
}
