import type { Api } from './api.ts'
import { platformApi } from './platform.ts'
import { pluginApi } from './plugin.ts'

/** Every API of the kit. */
export const apis: readonly Api[] = [pluginApi, platformApi]
