import { expectThat } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import { type HttpResponse, isSuccess } from '../../client/response.ts'
import { type AccountDraft, accountText } from '../../session/account.ts'
import { requestForms } from '../../session/http-forms.ts'
import { accountPath, createPath, type PlatformOverrides, type PlatformRequest } from '../../session/platform.ts'
import {
  accountNamed,
  arrangeAccount,
  expectAccount,
  expectClientError,
  expectNoSuccess,
  requireSuccess,
} from '../../session/platform-expect.ts'
import { rawAccount, rawCreation } from '../../session/platform-raw.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { toJson } from '../../session/plugin.ts'
import { chunked, inTwoChunks, responseTo } from '../../session/raw-request.ts'
import { wrongKeys } from '../../session/wrong-keys.ts'
import { creationErrors, platformErrors } from './7-errors.ts'
import { checks, creatingSigned, disclosing, disposableOnly, reading, readingSigned } from './scopes.ts'

/** A request without a valid key: how it differs from the documented one, or its bytes. */
type Attempt = Partial<PlatformRequest> | Buffer

/** The response; undefined if the connection was closed. */
export function attempted(platform: PlatformSession, documented: PlatformRequest, attempt: Attempt) {
  if (attempt instanceof Buffer) return responseTo(platform, attempt)
  return platform.send({ key: null, ...documented, ...attempt })
}

/** Whether the API responded: a website may do so at any other path, and to a URL as the target. */
export function isOfApi({ json }: HttpResponse, attempt: Attempt, path: string): boolean {
  const isAtPath = 'path' in attempt ? attempt.path?.startsWith(path) : !/^\w+ http/.test(String(attempt))
  return json !== undefined || isAtPath === true
}

const longKey = 'xy'.repeat(600)

/** What may stand in place of the key. The last one is in each report, so it is short. */
export const wrongPlatformKeys = (key: string) => [null, 'not-the-key', longKey, ...wrongKeys(key)]

/** A request without the key, in forms and with spellings of its path that a server may handle in another place. */
export function keylessForms(
  platform: PlatformSession,
  { path, body }: PlatformRequest,
): Readonly<Record<string, Attempt>> {
  const text = body?.toString() ?? ''
  const creation = { signed: text, sent: text, key: null }
  const bytes =
    body === undefined ? rawAccount(platform, { path, key: null }) : rawCreation(platform, creation, ['POST', path])
  const spellings = [
    `${path}/`,
    `/${path}`,
    path.replace('/v1/', '/v1//'),
    path.replace('/v1/', '/V1/').replace('account', 'Account'),
    path.replace('account', '%61ccount'),
  ]
  return Object.fromEntries([
    ...Object.entries(requestForms).map(([what, form]) => [what, form(bytes, platform.address)]),
    ...spellings.map((spelling) => [`the path ${spelling}`, { path: spelling }]),
  ])
}

/** A creation without a valid key through each of these, and with the key in other places. */
function keylessCreations(platform: PlatformSession, creation: PlatformRequest & { readonly body: string }) {
  const { key } = platform
  const { path, body } = creation
  const framed = { signed: body, sent: inTwoChunks(body), framing: chunked[0], key: null }
  return {
    ...keylessForms(platform, creation),
    'a chunked body': rawCreation(platform, framed),
    'a key of 1,200 characters': { key: longKey },
    'the key in the body': { body: toJson({ ...JSON.parse(body), api_key: key, apiKey: key, key }) },
    'the key in the query string': { path: `${path}?${new URLSearchParams({ api_key: key })}` },
  } satisfies Record<string, Attempt>
}

/** A creation without a valid key is rejected, at the documented path, and makes no account. */
export async function expectKeyNeeded(
  platform: PlatformSession,
  { name }: AccountDraft,
  what: string,
  response: HttpResponse | undefined,
): Promise<void> {
  if (response !== undefined) expectNoSuccess(response)
  const list = (await platform.listPath()) === null ? null : await platform.list()
  const isCreated = list !== null && accountNamed(list, name) !== undefined
  expectThat(!isCreated, 'trading-account.created-without-key', { actual: name, difference: what })
}

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
        const draft = platform.draft()
        const creation = { method: 'POST', path: createPath, body: accountText(draft) } as const
        for (const [what, attempt] of Object.entries(keylessCreations(platform, creation))) {
          const response = await attempted(platform, creation, attempt)
          const judged = response && isOfApi(response, attempt, createPath) ? response : undefined
          await after(`POST with ${what}`, () => expectKeyNeeded(platform, draft, what, judged))
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
  const encoded = (['base64', 'base64url', 'hex'] as const).map((encoding) =>
    Buffer.from(secret ?? '').toString(encoding),
  )
  const spellings =
    secret === null ? [] : [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...encoded]
  expectThat(!spellings.some((spelling) => all.includes(spelling)), 'response.shows-secret', {
    difference: response.status,
    response,
  })
}
