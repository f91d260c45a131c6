import { accountPath } from '../../session/platform.ts'
import { arrangeAccount, expectAccount, expectNoSuccess } from '../../session/platform-expect.ts'
import { checks, reading } from './scopes.ts'

/** Clause 9: the version in the path. */
export const versionChecks = [
  ...checks(reading, 'platform.version.in-path', {
    'CP-901 GET /v1/account returns the account under the path prefix /v1': async (platform) => {
      expectAccount(await platform.account())
    },
  }),
  ...checks({ ...reading, tolerates: ['rejection'] }, 'platform.version.unknown', {
    'CP-903 GET of the account and the list below /v99 and /v199 does not return JSON with 2xx': async (platform) => {
      await arrangeAccount(platform)
      for (const known of [accountPath, await platform.listPath()]) {
        // The path of the list is stated by the user, and may have no version.
        if (!known?.startsWith('/v1/')) continue
        // A server that compares the beginning of the path takes /v199 for /v1.
        for (const version of ['/v99', '/v199']) {
          const response = await platform.send({ method: 'GET', path: known.replace('/v1', version) })
          // A website may respond at any other path.
          if (response.json !== undefined) expectNoSuccess(response)
        }
      }
    },
  }),
]
