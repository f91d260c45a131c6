import type { PlatformCheck } from '../../session/check.ts'
import { arrangeAccount, expectAccount, expectNoSuccess } from '../../session/platform-expect.ts'
import { reading } from './scopes.ts'

/** Clause 9: the version in the path. */
export const versionChecks: readonly PlatformCheck[] = [
  {
    id: 'CP-901',
    requirement: 'platform.version.in-path',
    title: 'GET /v1/account returns the account under the path prefix /v1',
    ...reading,
    async run({ platform }) {
      expectAccount(await platform.account())
    },
  },
  {
    id: 'CP-903',
    requirement: 'platform.version.unknown',
    title: 'GET /v99/account does not succeed',
    ...reading,
    async run({ platform }) {
      await arrangeAccount(platform)
      expectNoSuccess(await platform.send({ method: 'GET', path: '/v99/account' }))
    },
  },
]
