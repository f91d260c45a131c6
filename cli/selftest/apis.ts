import type { Api } from './api.ts'
import { platformApi } from './platform/api.ts'
import { pluginApi } from './plugin/api.ts'

/** Every API of the kit. */
export const apis: readonly Api[] = [pluginApi, platformApi]
