import { expectThat } from '../../assertions/expect.ts'
import type { PlatformCheck } from '../../session/check.ts'
import { arrangeAccount, expectAccount, expectNoSuccess } from '../../session/platform-expect.ts'
import { reading, sampling } from './scopes.ts'

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
    id: 'CP-902',
    requirement: 'platform.version.in-path',
    title: 'POST /v1/trading-accounts creates an account under the path prefix /v1',
    ...sampling,
    async run({ platform }) {
      const { response } = await platform.sample()
      expectThat(response.status !== 404, 'trading-account.path-missing', {
        actual: response.status,
        difference: null,
        response,
      })
      await platform.created()
    },
  },
  {
    id: 'CP-903',
    requirement: 'platform.version.unknown',
    title: 'GET /v0/account and GET /v99/account do not succeed',
    ...reading,
    async run({ platform }) {
      await arrangeAccount(platform)
      for (const path of ['/v0/account', '/v99/account']) {
        expectNoSuccess(await platform.send({ method: 'GET', path }))
      }
    },
  },
]
