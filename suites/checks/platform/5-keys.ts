import { expectThat } from '../../assertions/expect.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { PlatformCheck } from '../../session/check.ts'
import { accountPath, type PlatformVariation } from '../../session/platform.ts'
import {
  arrangeAccount,
  expectAccount,
  expectClientError,
  isSuccess,
  sendAnyway,
} from '../../session/platform-expect.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { wrongKeys } from '../../session/wrong-keys.ts'
import { reading, readingSigned } from './scopes.ts'

/** None of these shows the account. The ordinary request does, so only the key was wrong. */
async function expectHidden(platform: PlatformSession, variations: readonly PlatformVariation[]): Promise<void> {
  const { id } = await arrangeAccount(platform)
  for (const variation of variations) {
    const response = await platform.account(variation)
    expectThat(
      !isSuccess(response) && !(typeof id === 'string' && response.text.includes(id)),
      'response.shows-account',
      {
        actual: response.status,
        difference: response.status,
        response,
      },
    )
  }
  expectAccount(await platform.account())
}

/** The signed path may include the query string or not; the key must not be accepted in either case. */
function signings(platform: PlatformSession): readonly PlatformVariation[] {
  return platform.secret === null ? [{}] : [{}, { sign: { path: accountPath } }, { sign: null }]
}

/** Clause 5: the key. */
export const platformKeyChecks: readonly PlatformCheck[] = [
  {
    id: 'CP-301',
    requirement: 'platform.auth.account-needs-key',
    title: 'GET /v1/account without a key does not disclose the account',
    ...reading,
    run: ({ platform }) => expectHidden(platform, [{ key: null }, { key: null, sign: null }]),
  },
  {
    id: 'CP-302',
    requirement: 'platform.auth.wrong-key',
    title: 'GET /v1/account with a wrong key does not disclose the account',
    ...reading,
    run: ({ platform }) => expectHidden(platform, [{ key: 'not-the-key' }, { key: 'bk_test_0123456789abcdef' }]),
  },
  {
    id: 'CP-303',
    requirement: 'platform.auth.whole-key',
    title: 'GET /v1/account with a truncated, extended or altered key does not disclose the account',
    ...reading,
    run: ({ platform }) =>
      expectHidden(
        platform,
        wrongKeys(platform.key).map((key) => ({ key })),
      ),
  },
  {
    id: 'CP-304',
    requirement: 'platform.auth.empty-key',
    title: 'GET /v1/account with an empty key does not disclose the account',
    ...reading,
    run: ({ platform }) =>
      expectHidden(
        platform,
        ['Bearer ', 'Bearer', 'Bearer ""', ''].map((Authorization) => ({ key: null, headers: { Authorization } })),
      ),
  },
  {
    id: 'CP-305',
    requirement: 'platform.auth.only-the-header',
    title: 'GET /v1/account with the key only in the query string or a cookie does not disclose the account',
    ...reading,
    async run({ platform }) {
      const key = encodeURIComponent(platform.key)
      for (const name of ['api_key', 'apiKey', 'key', 'token', 'access_token']) {
        const path = `${accountPath}?${name}=${key}`
        for (const signing of signings(platform)) {
          const response = await platform.send({ method: 'GET', path, key: null, ...signing })
          expectThat(!isSuccess(response), 'request.key-in-query-accepted', {
            actual: response.status,
            difference: response.status,
            response,
          })
        }
      }
      const cookies = ['api_key', 'key', 'token', 'access_token', 'session', 'Authorization']
      const Cookie = cookies.map((name) => `${name}=${platform.key}`).join('; ')
      await expectHidden(platform, [{ key: null, headers: { Cookie } }])
    },
  },
  {
    id: 'CP-306',
    requirement: 'platform.auth.only-bearer',
    title: 'GET /v1/account with the key but without the Bearer scheme does not disclose the account',
    ...reading,
    run({ platform }) {
      const { key } = platform
      const basic = [`${key}:`, `:${key}`, key].map((text) => `Basic ${Buffer.from(text).toString('base64')}`)
      const odd = [key, `Token ${key}`, `ApiKey ${key}`, `Basic ${key}`, `Digest ${key}`, `Bearer:${key}`, ...basic]
      return expectHidden(
        platform,
        odd.map((Authorization) => ({ key: null, headers: { Authorization } })),
      )
    },
  },
  {
    id: 'CP-307',
    requirement: 'platform.auth.scheme-without-case',
    title: 'GET /v1/account accepts the scheme as bearer and as BEARER',
    ...reading,
    async run({ platform }) {
      await arrangeAccount(platform)
      for (const scheme of ['bearer', 'BEARER']) {
        const headers = { Authorization: `${scheme} ${platform.key}` }
        expectAccount(await platform.account({ key: null, headers }))
      }
    },
  },
  {
    id: 'CP-308',
    requirement: 'platform.auth.header-name-without-case',
    title: 'GET /v1/account accepts the header name as authorization and as AUTHORIZATION',
    ...reading,
    async run({ platform }) {
      await arrangeAccount(platform)
      for (const name of ['authorization', 'AUTHORIZATION']) {
        expectAccount(await platform.account({ key: null, headers: { [name]: `Bearer ${platform.key}` } }))
      }
    },
  },
  {
    id: 'CP-309',
    requirement: 'platform.auth.client-error',
    title: 'GET /v1/account returns 4xx without a key and with a wrong key',
    ...reading,
    async run({ platform }) {
      await arrangeAccount(platform)
      for (const key of [null, 'not-the-key', `${platform.key}x`]) expectClientError(await platform.account({ key }))
      const path = await platform.listPath()
      if (path !== null) expectClientError(await platform.listWith({ key: null }))
    },
  },
  {
    id: 'CP-310',
    requirement: 'platform.auth.works-after-refusal',
    title: 'GET /v1/account accepts the correct key after a wrong key on the same connection',
    ...reading,
    async run({ platform }) {
      await arrangeAccount(platform)
      // Reads share a connection as long as the server leaves it open.
      for (const key of ['not-the-key', null, `${platform.key}x`]) {
        await platform.account({ key })
        expectAccount(await platform.account())
      }
    },
  },
  {
    id: 'CP-311',
    requirement: 'platform.secret.not-shown',
    title: 'The account and the list of trading accounts do not contain the API Secret',
    ...readingSigned,
    async run({ platform }) {
      const responses = [await platform.account()]
      if ((await platform.listPath()) !== null) responses.push(await platform.listWith({}))
      for (const response of responses) expectWithout(platform, response)
    },
  },
  {
    id: 'CP-312',
    requirement: 'platform.secret.not-shown',
    title: 'The response to POST /v1/trading-accounts and the list after the creation do not contain the API Secret',
    risk: 'write',
    needs: ['platform', 'platform-secret', 'platform-group'],
    creates: 'sample',
    async run({ platform }) {
      const { response, listAfter } = await platform.created()
      expectWithout(platform, response)
      if (listAfter !== null) expectWithout(platform, listAfter.response)
    },
  },
  {
    id: 'CP-313',
    requirement: 'platform.secret.not-repeated',
    title: 'An error response does not repeat an API Secret that was sent by mistake',
    ...readingSigned,
    async run({ platform }) {
      const secret = platform.secret ?? ''
      const header = { 'X-API-Secret': secret, 'X-API-Key': secret }
      const unknown = `/v1/no-such-path?secret=${encodeURIComponent(secret)}`
      for (const send of [
        () => platform.account({ key: secret }),
        () => platform.account({ key: `${platform.key}:${secret}` }),
        () => platform.account({ key: 'not-the-key', headers: header }),
        () => platform.account({ key: null, headers: { Authorization: `Basic ${secret}` } }),
        () => platform.account({ sign: { spell: () => secret } }),
        () => platform.send({ method: 'GET' as const, path: unknown, key: 'not-the-key' }),
        () => platform.send({ method: 'GET' as const, path: unknown }),
      ]) {
        const response = await sendAnyway(send)
        if (response !== null && !isSuccess(response)) expectWithout(platform, response)
      }
    },
  },
]

function expectWithout({ secret }: PlatformSession, response: HttpResponse): void {
  const { text, headers } = response
  const all = `${text}\n${JSON.stringify(headers)}`
  const spellings = secret === null ? [] : [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
  expectThat(!spellings.some((spelling) => all.includes(spelling)), 'response.shows-secret', {
    difference: response.status,
    response,
  })
}
