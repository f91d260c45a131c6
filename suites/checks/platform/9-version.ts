import type { PlatformCheck } from '../../session/check.ts'
import { arrangeAccount, expectAccount, expectNoSuccess } from '../../session/platform-expect.ts'
import { checks, reading } from './scopes.ts'

/** Clause 9: the version in the path. */
export const versionChecks: readonly PlatformCheck[] = [
  ...checks(reading, 'platform.version.in-path', {
    'CP-901 GET /v1/account returns the account under the path prefix /v1': async (platform) => {
      expectAccount(await platform.account())
    },
  }),
  ...checks(reading, 'platform.version.unknown', {
    'CP-903 GET /v99/account does not succeed': async (platform) => {
      await arrangeAccount(platform)
      expectNoSuccess(await platform.send({ method: 'GET', path: '/v99/account' }))
    },
  }),
]
