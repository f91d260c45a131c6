import type { RunContext } from '../../suites/runner/context.ts'
import type { RunOptions } from '../options/run-options.ts'
import { preflightPlatform } from './platform/inspect.ts'
import { type OpenPlatform, openPlatform } from './platform/open.ts'
import { type Found, preflight } from './plugin/inspect.ts'
import { type OpenTarget, openTarget } from './plugin/open.ts'

/** Everything that is to be judged, ready. */
export interface OpenServers extends OpenTarget {
  /** Null where no platform is judged. */
  readonly platform: OpenPlatform | null
}

/** Starts what is to be started; `closeServers` ends it. */
export async function openServers(options: RunOptions): Promise<OpenServers> {
  const open = await openTarget(options)
  const platform = await openPlatform(options)
  return { ...open, platform, secrets: [...open.secrets, ...(platform?.secrets ?? [])] }
}

const noPlugin: Found = { plugin: null, list: null }

/** A first look at each server. */
export async function lookAtServers({ plugin, platform }: RunContext): Promise<Found> {
  const found = plugin === null ? noPlugin : await preflight(plugin)
  if (platform !== null) await preflightPlatform(platform)
  return found
}

export async function closeServers({ driver, platform }: OpenServers): Promise<void> {
  await driver?.discardAll()
  await platform?.close()
}
