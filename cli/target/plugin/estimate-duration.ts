import { createClient } from '../../../suites/client/client.ts'
import { NoResponse } from '../../../suites/client/response.ts'
import type { PlannedCheck } from '../../../suites/runner/plan.ts'
import type { PluginSettings } from '../../../suites/runner/plugin/settings.ts'
import type { Shared } from '../../../suites/runner/shared.ts'
import { createPlugin } from '../../../suites/session/plugin.ts'
import type { DurationEstimate } from '../api.ts'
import { estimateWrites, usualWritesOf } from './estimate-writes.ts'

/** Reads of a check and of its clean-up, on average. */
const ofCheck = 7

/** A write opens a connection, and the list is read before and after it. */
const ofWrite = 4

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
