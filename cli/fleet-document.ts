import { z } from 'zod'
import { levels } from '../spec/requirement.ts'
import { readKitFile } from './read-kit-file.ts'

export const fleetSchemaName = 'copytrade-tck/fleet@1'

const level = z.enum(levels)
const status = z.enum(['passed', 'failed', 'not-applicable', 'out-of-scope', 'blocked', 'error', 'partly-judged'])
const shard = z.object({
  index: z.int().min(1).describe('Counted from 1'),
  count: z.int().min(1),
  targets: z.exactOptional(z.string()).describe('Hash of all names in the file of targets'),
})

const failure = z.object({
  check: z.string().describe('Id of the check'),
  requirement: z.string().describe('Id of the requirement'),
  level,
  code: z.string().nullable().describe('Permanent name of the failed expectation'),
  message: z.string(),
  known: z.boolean().describe('Whether the baseline of the install lists it'),
})

const install = z.object({
  name: z.string().describe('As in the file of targets'),
  target: z.string().describe('Base URL, or `exec`, `container` or `simulator` for a server that the kit started'),
  risk: z.enum(['read', 'write', 'exclusive']),
  exitCode: z.int().describe('Exit code of its run; 3 if the fleet was interrupted before'),
  verdict: z
    .enum(['conformant', 'partial', 'non-conformant', 'incomplete'])
    .nullable()
    .describe('Null without a report'),
  explanation: z.string().describe('Explains the verdict, or why there is no report'),
  startedAt: z.iso.datetime().nullable().describe('UTC; null if it was not run'),
  durationMs: z.number().min(0),
  folder: z.string().describe('Relative to this file; holds run.log and the files of the report'),
  plugin: z.object({ name: z.string(), version: z.string() }).nullable(),
  statuses: z.record(z.string(), status).describe('Requirement to status; empty without a report'),
  failures: z.array(failure),
})

/** `fleet.schema.json` follows from it. Readers must tolerate members that a later version adds. */
export const fleetSchema = z.object({
  schema: z.literal(fleetSchemaName),
  kit: z.object({ name: z.string(), version: z.string(), requirementsVersion: z.string() }),
  startedAt: z.iso.datetime().describe('UTC'),
  durationMs: z.number().min(0),
  exitCode: z.int().describe('The worst of the installs'),
  shard: shard.nullable().describe('The part of the fleet that was judged; null for all of it'),
  missingShards: z.array(shard).describe('Parts that a merge did not get'),
  requirements: z.array(z.object({ id: z.string(), clause: z.string(), level })),
  installs: z.array(install),
})

export type Fleet = z.infer<typeof fleetSchema>
export type FleetInstall = Fleet['installs'][number]
export type Shard = NonNullable<Fleet['shard']>

/** A `fleet.json`. @throws {UsageError} when it cannot be read or is invalid */
export function readFleet(path: string): Fleet {
  return readKitFile(
    path,
    fleetSchema,
    'a fleet.json',
    'Give the `fleet.json` of `copytrade-tck fleet` or `copytrade-tck merge`.',
  )
}
