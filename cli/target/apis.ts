import type { ApiUnderTest } from './api.ts'
import { platformApi } from './platform/api.ts'
import { pluginApi } from './plugin/api.ts'

/** The APIs that a run can judge, in the order in which they are judged. */
export const apis: readonly ApiUnderTest[] = [pluginApi, platformApi]

/** This module, for the threads that load the APIs. */
export const apisModule = new URL('./apis.js', import.meta.url).href
