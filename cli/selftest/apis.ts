import type { Api } from './api.ts'
import { pluginApi } from './plugin.ts'

/** Every API of the kit. */
export const apis: readonly Api[] = [pluginApi]
