import type { PlatformSimulator } from '../../platform/index.ts'
import type { Control } from '../control.ts'

/** What the control server serves. */
export interface ServedApis {
  readonly control: Control
  /** The URL of the plugin API; null while no port is open. */
  readonly url: () => string | null
  /** Null if no platform is served next to the plugin. */
  readonly platform: ServedPlatform | null
}

/** A platform, and the URL of its API. */
export interface ServedPlatform {
  readonly platform: PlatformSimulator
  readonly url: () => string | null
}
