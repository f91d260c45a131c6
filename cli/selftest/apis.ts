import { apis as underTest } from '../target/apis.ts'
import type { Api } from '../target/trials.ts'

/** Every API of the kit, with its defects. */
export const apis: readonly Api[] = await Promise.all(
  underTest.map(async (api) => ({ ...api, ...(await api.trials()) })),
)
