import { expectJsonType, expectThat } from '../../assertions/expect.ts'
import { rejectAtLimit } from '../../session/account.ts'
import { attempted, isOfApi, keylessForms, wrongPlatformKeys } from '../../session/keyless-requests.ts'
import { createPath } from '../../session/platform.ts'
import { expectNoSuccess, requireFraction, requireSuccess } from '../../session/platform-expect.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { toJson } from '../../session/plugin.ts'
import { checks, creatingOne, judgingResponses, reading } from './scopes.ts'

async function readJsonList(platform: PlatformSession) {
  const response = requireSuccess(await platform.listWith({}))
  expectThat(response.json !== undefined, 'body.not-json', { difference: null, response })
  return response
}

/** Clauses 4.1 and 5: the list as a response, and the key that it needs. */
export const listChecks = [
  ...checks(reading, 'platform.list.json-content-type', {
    'CP-227 The list of trading accounts is JSON and has Content-Type application/json': async (platform) =>
      expectJsonType(await readJsonList(platform)),
  }),
  ...checks({ ...creatingOne, ...judgingResponses }, 'platform.list.json-content-type', {
    'CP-240 The list of trading accounts is JSON after the creation of an account with balance 12345.5': async (
      platform,
    ) => {
      requireFraction(platform)
      const response = await platform.create(platform.draft({ balance: 12_345.5 }))
      rejectAtLimit(response)
      requireSuccess(response)
      await readJsonList(platform)
    },
  }),
  ...checks(reading, 'platform.list.needs-key', {
    'CP-228 The list of trading accounts is not disclosed without a key, with a wrong one, or with another scheme':
      async (platform) => {
        if (platform.mayTryAnything) await platform.created()
        // An error text may contain a word that is also a name.
        const names = (await platform.list()).accounts.flatMap(({ name }) =>
          typeof name === 'string' && name.length > 3 ? toJson(name) : [],
        )
        const request = { method: 'GET', path: (await platform.listPath()) ?? createPath } as const
        const wrong = wrongPlatformKeys(platform.key).map((key) => ({ key }))
        const forms = Object.values(keylessForms(platform, request))
        const scheme = { headers: { Authorization: `Basic ${platform.key}` } }
        for (const attempt of [{ method: 'HEAD' } as const, ...wrong, scheme, ...forms]) {
          const response = await attempted(platform, request, attempt)
          if (response === undefined) continue
          if (isOfApi(response, attempt, request.path)) expectNoSuccess(response)
          const isShown = names.some((name) => response.text.includes(name))
          expectThat(!isShown, 'response.shows-accounts', { difference: null, response })
        }
      },
    'CP-315 The list of trading accounts is complete after a wrong key on the same connection': async (platform) => {
      const seen = platform.mayTryAnything ? (await platform.created()).listAfter : null
      const { accounts: before } = seen ?? (await platform.list())
      // Reads share a connection while the server leaves it open.
      await platform.account({ key: 'not-the-key' })
      const { length } = (await platform.list()).accounts
      expectThat(length >= before.length, 'trading-account.count-changed', { expected: before.length, actual: length })
    },
  }),
]
