import type { ApiUnderTest } from './api.ts'
import { platformApi } from './platform/api.ts'
import { pluginApi } from './plugin/api.ts'

/** The APIs that a run can judge, in order. */
export const apis: readonly ApiUnderTest[] = [pluginApi, platformApi]

export const apisModule = new URL('./apis.js', import.meta.url).href
