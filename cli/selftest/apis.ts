import { apis as underTest } from '../target/apis.ts'
import type { SelfTestApi } from '../target/self-test.ts'

/** Every API of the kit, with its defects. */
export const apis: readonly SelfTestApi[] = await Promise.all(
  underTest.map(async (api) => ({ ...api, ...(await api.selfTest()) })),
)
