import type { ApiName } from '../session/check.ts'
import type { Driver } from '../targets/driver.ts'
import type { ApiUnderTest } from './api.ts'
import { createPlatformContext, type PlatformContext, type PlatformSettings } from './platform/context.ts'
import { createPluginContext, type PluginContext } from './plugin/context.ts'
import type { PluginSettings } from './plugin/settings.ts'
import { createShared, type Shared } from './shared.ts'

/** How each API is judged; null for one that is not. Complete, and can be sent as a message. */
export interface RunSettings {
  readonly plugin: PluginSettings | null
  readonly platform: PlatformSettings | null
}

/** The APIs of a run by name; null for one that is not judged. */
export interface RunContext {
  readonly plugin: PluginContext | null
  readonly platform: PlatformContext | null
}

/** What the runner needs of a run. */
export type ApisUnderTest = Readonly<Partial<Record<ApiName, ApiUnderTest | null>>>

/**
 * The context of a run.
 *
 * @param driver null where the kit cannot start servers
 * @param shared what the APIs share; otherwise made from the settings
 * @param sharedByPlatform where the APIs are judged at the same time: the same with a recorder of its own
 */
export function createRunContext(
  { plugin, platform }: RunSettings,
  driver: Driver | null,
  shared: Shared = createShared([plugin, platform].filter((settings) => settings !== null)),
  sharedByPlatform: Shared = shared,
): RunContext {
  return {
    plugin: plugin && createPluginContext(plugin, driver, shared),
    platform: platform && createPlatformContext(platform, sharedByPlatform),
  }
}
