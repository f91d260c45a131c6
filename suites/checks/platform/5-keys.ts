import { expectThat } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import { type HttpResponse, isSuccess } from '../../client/response.ts'
import {
  type Attempt,
  attempted,
  expectKeylessRejected,
  isOfApi,
  keylessCreations,
  keylessForms,
  wrongPlatformKeys,
} from '../../session/keyless-requests.ts'
import { accountPath, createPath, type PlatformOverrides } from '../../session/platform.ts'
import { arrangeAccount, expectAccount, expectClientError, requireSuccess } from '../../session/platform-expect.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { creationErrors, platformErrors } from './7-errors.ts'
import { checks, creatingSigned, disclosing, disposableOnly, reading, readingSigned } from './scopes.ts'

const readAccount = { method: 'GET', path: accountPath } as const

/** None of these requests shows the account. A correct request does, so only the key was wrong. */
const hides = (attempts: (platform: PlatformSession) => readonly Attempt[]) => async (platform: PlatformSession) => {
  const { id } = await arrangeAccount(platform)
  for (const attempt of attempts(platform)) {
    const response = await attempted(platform, readAccount, attempt)
    if (response === undefined) continue
    const isSuccessful = isSuccess(response) && isOfApi(response, attempt, accountPath)
    const isShown = isSuccessful || (typeof id === 'string' && response.text.includes(id))
    const facts = { actual: response.status, difference: response.status, response }
    expectThat(!isShown, 'response.shows-account', facts)
  }
}

/** The signed path with and without the query string: the key must not be accepted with either. */
function signings(platform: PlatformSession): readonly PlatformOverrides[] {
  return platform.secret === null ? [{}] : [{}, { sign: { path: accountPath } }, { sign: null }]
}

/** Clause 5: the key. */
export const platformKeyChecks = [
  ...checks(reading, 'platform.auth.account-needs-key', {
    'CP-301 GET /v1/account without a key, or with a wrong, cut or altered key, does not disclose the account': hides(
      ({ key, mayTryAnything }) => {
        // Whatever is in front of a running server may take it for an attack.
        const injected = mayTryAnything ? ["' OR '1'='1"] : []
        // Whether the secret is accepted in its place is a question.
        return [...injected, ...wrongPlatformKeys(key)].map((wrong) => ({ key: wrong }))
      },
    ),
    'CP-307 HEAD, another path spelling, HTTP/1.0 and a URL as the target do not disclose the account without a key':
      hides((platform) => [{ method: 'HEAD' }, ...Object.values(keylessForms(platform, readAccount))]),
    'CP-304 GET /v1/account with an empty key does not disclose the account': hides(() =>
      ['Bearer ', 'Bearer', 'Bearer ""', ''].map((Authorization) => ({ headers: { Authorization } })),
    ),
    'CP-305 GET /v1/account with the key only in the query, a cookie or another header does not disclose the account':
      hides((platform) => {
        const names = ['api_key', 'apiKey', 'key', 'token', 'access_token', 'session', 'Authorization']
        const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, platform.key])))
        const Cookie = names.map((name) => `${name}=${platform.key}`).join('; ')
        return [
          ...signings(platform).map((signing) => ({ path: `${accountPath}?${query}`, ...signing })),
          { headers: { Cookie } },
          // Whether X-API-Key may carry it is a question.
          { headers: { 'Proxy-Authorization': `Bearer ${platform.key}` } },
          { headers: { 'X-Forwarded-For': '127.0.0.1' } },
        ]
      }),
    'CP-306 GET /v1/account with the key but without the Bearer scheme does not disclose the account': hides(
      ({ key }) => {
        // A platform may also accept the key as RFC 7617 writes a user: in base64.
        const odd = [key, `Token ${key}`, `ApiKey ${key}`, `Basic ${key}`, `Digest ${key}`, `Bearer:${key}`]
        return odd.map((Authorization) => ({ headers: { Authorization } }))
      },
    ),
  }),
  ...checks(disposableOnly, 'platform.auth.create-needs-key', {
    'CP-314 POST without a valid key creates nothing in any form, with any path spelling and the key in another place':
      async (platform) => {
        await platform.created()
        for (const { what, draft, creation, attempt } of keylessCreations(platform)) {
          const response = await attempted(platform, creation, attempt)
          const judged = response && isOfApi(response, attempt, createPath) ? response : undefined
          await after(`POST with ${what}`, () => expectKeylessRejected(platform, draft, what, judged))
        }
      },
  }),
  ...checks(reading, 'platform.auth.case-insensitive', {
    'CP-308 GET /v1/account accepts the header name Authorization in any case': async (platform) => {
      await arrangeAccount(platform)
      for (const name of ['aUTHORIZATION', 'authorization', 'AUTHORIZATION']) {
        expectAccount(await platform.account({ key: null, headers: { [name]: `Bearer ${platform.key}` } }))
      }
    },
  }),
  ...checks(reading, 'platform.auth.client-error', {
    'CP-309 GET /v1/account returns 4xx without a key, with a wrong key and with another scheme': async (platform) => {
      await arrangeAccount(platform)
      // A key with a letter outside of ASCII arrives as the byte E9.
      const wrong = ['', 'Bearer', 'Bearer not-the-key', 'Basic eDp5', 'Bearer cl\u00e9']
      for (const headers of [{}, ...wrong.map((Authorization) => ({ Authorization }))]) {
        expectClientError(await platform.account({ key: null, headers }))
      }
    },
  }),
  ...checks(reading, 'platform.auth.works-after-refusal', {
    'CP-310 GET /v1/account accepts the correct key after a wrong key on the same connection': async (platform) => {
      await arrangeAccount(platform)
      // Reads share a connection while the server leaves it open.
      await platform.account({ key: 'not-the-key' })
      expectAccount(await platform.account())
    },
  }),
  ...checks(readingSigned, 'platform.secret.not-shown', {
    'CP-311 GET /v1/account with a correct or a wrong signature, and errors, do not disclose the API Secret': async (
      platform,
    ) => {
      expectWithout(platform, requireSuccess(await platform.account()))
      expectWithout(platform, await platform.wronglySigned())
      const ofCreation = platform.mayTryAnything ? await creationErrors(platform) : []
      for (const response of [...(await platformErrors(platform)), ...ofCreation]) expectWithout(platform, response)
    },
  }),
  ...checks({ ...creatingSigned, creates: 'sample' }, 'platform.secret.not-shown', {
    'CP-312 The response to POST /v1/trading-accounts and the list after the creation do not contain the API Secret':
      async (platform) => {
        const { response, listAfter } = await platform.created()
        expectWithout(platform, response)
        if (listAfter !== null) expectWithout(platform, listAfter.response)
      },
  }),
  ...checks(disclosing, 'platform.secret.not-repeated', {
    'CP-313 An error response does not repeat an API Secret that was sent by mistake': async (platform) => {
      const secret = platform.secret ?? ''
      expectWithout(platform, await platform.account({ key: secret }))
      const path = `/v1/no-such-path?secret=${encodeURIComponent(secret)}`
      expectWithout(platform, await platform.send({ method: 'GET', path }))
    },
  }),
]

function expectWithout({ secret }: PlatformSession, response: HttpResponse): void {
  const { text, headers } = response
  const all = `${text}\n${JSON.stringify(headers)}`
  const encoded = (['base64', 'base64url', 'hex'] as const).map((form) => Buffer.from(secret ?? '').toString(form))
  const spellings =
    secret === null ? [] : [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...encoded]
  const isShown = spellings.some((spelling) => all.includes(spelling))
  expectThat(!isShown, 'response.shows-secret', { difference: response.status, response })
}
