import { clockRoutes } from './clock-routes.ts'
import { type Route, route, type ServedPlatform } from './route.ts'
import * as schemas from './schemas.ts'
import { shownAccounts } from './view.ts'

/** The endpoints of a platform that is served beside the plugin. */
export function platformRoutes({ platform }: ServedPlatform): readonly Route[] {
  const { keys, clock } = platform
  return [
    route('GET /platform/accounts', schemas.nothing, () => shownAccounts(platform)),
    route('GET /platform/keys', schemas.nothing, async () => ({ keys: await keys.list() })),
    route('POST /platform/keys', schemas.newKey, ({ input: { expiresAt, ...wanted } }) =>
      keys.create({ ...wanted, ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }) }),
    ),
    route('POST /platform/keys/:id/revoke', schemas.nothing, ({ params }) => keys.revoke(params.id ?? '')),
    route('POST /platform/keys/:id/expire', schemas.moment, ({ params, input: { at } }) =>
      keys.expire(params.id ?? '', at === undefined ? undefined : new Date(at)),
    ),
    ...clockRoutes('/platform/clock', () => clock),
    route('POST /platform/restart', schemas.restartPlatform, async ({ input: { how } }) => {
      if (how === 'crash') await platform.crash()
      await platform.restart()
    }),
    route('POST /platform/crash', schemas.nothing, () => platform.crash()),
    route('POST /platform/reset', schemas.nothing, () => platform.reset()),
  ]
}
