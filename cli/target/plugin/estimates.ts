import { pluginCases } from '../../../suites/checks/plugin/all.ts'
import { createClient } from '../../../suites/client/client.ts'
import { NoResponse } from '../../../suites/client/response.ts'
import type { PlannedCheck } from '../../../suites/runner/plan.ts'
import type { PluginSettings } from '../../../suites/runner/plugin/settings.ts'
import type { Shared } from '../../../suites/runner/shared.ts'
import type { Capability, Case } from '../../../suites/session/check.ts'
import { createPlugin } from '../../../suites/session/plugin.ts'
import type { DurationEstimate, OpenApi, WriteEstimate } from '../api.ts'
import { dryRun } from '../dry-run.ts'
import { roomOfSimulator, rulesOfSimulator } from './simulate.ts'
import counted from './usual-writes.json' with { type: 'json' }

/** How many writes each check sends to the simulator. `npm run usual-writes` writes the file. */
const usualWrites: Readonly<Record<string, number>> = counted

function usualWritesOf(check: string): number {
  return usualWrites[check] ?? 0
}

const cases = new Map(pluginCases.map((check) => [check.id, check]))

/** A server with other answers gets slightly different requests, and a check whose connection broke is repeated. */
const slack = 6

/** A check that needs rules in an empty list adds and removes them, which it need not do in that of the simulator. */
const arranging = 2 * rulesOfSimulator

/** How many writes these checks send to a server that runs already. */
export function estimateWrites(
  plan: readonly PlannedCheck[],
  { risk, maxFill, thorough }: Pick<PluginSettings, 'risk' | 'maxFill' | 'thorough'>,
): WriteEstimate {
  if (risk === 'read') return { usual: 0, most: 0 }
  let usual = 0
  let most = risk === 'exclusive' ? writesOfFilledRule * maxFill : 0
  let fills = 0
  for (const { id, outOfScope } of plan) {
    if (outOfScope !== null) continue
    const ofCheck = usualWritesOf(id)
    const stated = cases.get(id)?.mostWrites?.(thorough)
    usual += ofCheck
    // The clean-up of a check that states its most is not part of what it states.
    most += stated === undefined ? slack * (ofCheck + arranging) : 2 * stated
    if (cases.get(id)?.fills) fills += 1
  }
  // The file has the rules of a fill for each check that needs one. In a run the checks share them, and each rule is
  // removed, where the dry run starts another simulator.
  if (fills > 0) usual -= (fills - 2) * roomOfSimulator
  return { usual: thorough === 1 ? usual : null, most }
}

/** It is added and removed, and a failure on a full list is confirmed by filling it twice more. */
export const writesOfFilledRule = 6

/** Reads of a check and of its clean-up, on average. */
const ofCheck = 7

/** A write opens a connection, and the list is read after it. That is the list before the next one too. */
const ofWrite = 3

/** What the kit itself needs for one, on average. */
const ownMs = 2

/** How many round trips these checks of a server that runs already take one after the other; null if not known. */
export function estimateRoundTrips(
  plan: readonly PlannedCheck[],
  settings: Parameters<typeof estimateWrites>[1],
): number | null {
  const { usual } = estimateWrites(plan, settings)
  const run = plan.filter(({ outOfScope }) => outOfScope === null)
  return usual === null ? null : ofCheck * run.length + ofWrite * usual
}

/** How many of them one check takes. */
export function roundTripsOf(check: string): number {
  return ofCheck + ofWrite * usualWritesOf(check)
}

/** How long these checks take, after a few reads that show how far away the server is; null if not known. */
export async function estimateDuration(
  plan: readonly PlannedCheck[],
  settings: PluginSettings,
  shared: Shared,
): Promise<DurationEstimate | null> {
  const roundTrips = estimateRoundTrips(plan, settings)
  const roundTripMs = roundTrips === null ? null : await measureRoundTrip(settings, shared)
  if (roundTrips === null || roundTripMs === null) return null
  const paceMs = 1000 / (settings.maxRequestsPerSecond ?? Number.POSITIVE_INFINITY)
  return { roundTrips, roundTripMs, durationMs: roundTrips * Math.max(roundTripMs + ownMs, paceMs) }
}

const measured = 5

/** The median of a few reads of the status, after one that opens the connection; null without a response. */
async function measureRoundTrip({ target, timeoutMs }: PluginSettings, shared: Shared): Promise<number | null> {
  const { url: baseUrl, transport, key, keyAs } = target
  const plugin = createPlugin(createClient({ ...shared, baseUrl, transport, timeoutMs }), key, keyAs)
  const times: number[] = []
  try {
    await plugin.status()
    while (times.length < measured) times.push((await plugin.status()).exchange.durationMs)
  } catch (error) {
    if (error instanceof NoResponse) return null
    throw error
  }
  return times.toSorted((one, other) => one - other)[Math.floor(measured / 2)] ?? null
}

/** The planned checks that are run. */
function casesIn(planned: readonly PlannedCheck[]): readonly Case[] {
  const run = new Set(planned.filter(({ outOfScope }) => outOfScope === null).map(({ id }) => id))
  return pluginCases.filter(({ id }) => run.has(id))
}

/** Whether planned checks fill the list. */
export function fillsList(planned: readonly PlannedCheck[]): boolean {
  return casesIn(planned).some(({ fills }) => fills)
}

/** What planned checks do to a foreign server: restart it so often at most, or also take its rules out of the list. */
export type LifeCycleUse = { readonly empties: boolean; readonly restarts: number } | null

export async function lifeCycleOf(
  planned: readonly PlannedCheck[],
  api: Pick<OpenApi, 'api' | 'simulate'>,
): Promise<LifeCycleUse> {
  const needs = (capability: Capability) => casesIn(planned).filter((check) => check.needs?.includes(capability))
  const ids = new Set([...needs('launch'), ...needs('restart')].map(({ id }) => id))
  if (ids.size === 0) return null
  const { starts } = await dryRun(
    [api],
    planned.filter(({ id }) => ids.has(id)),
  )
  const empties = needs('launch').length > 0
  // The server gets a temporary key before its list is emptied, and its own one in the end.
  return { empties, restarts: starts + (empties ? 2 : 0) }
}
