import { expectThat } from '../assertions/expect.ts'
import type { HttpResponse } from '../client/response.ts'
import { type AccountDraft, accountText } from './account.ts'
import { requestForms } from './http-forms.ts'
import { createPath, type PlatformRequest } from './platform.ts'
import { accountNamed, expectNoSuccess } from './platform-expect.ts'
import { rawAccount, rawCreation } from './platform-raw.ts'
import type { PlatformSession } from './platform-session.ts'
import { toJson } from './plugin.ts'
import { chunked, inTwoChunks, responseTo } from './raw-request.ts'
import { wrongKeys } from './wrong-keys.ts'

/** A request without a valid key: how it differs from the documented one, or its bytes. */
export type Attempt = Partial<PlatformRequest> | Buffer

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
export const wrongPlatformKeys = (key: string) => [null, 'not-the-key', longKey, `${key}:x`, ...wrongKeys(key)]

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
    `${path};x`,
    `${path}?x=1`,
  ]
  return Object.fromEntries([
    ...Object.entries(requestForms).map(([what, form]) => [what, form(bytes, platform.address)]),
    ...spellings.map((spelling) => [`the path ${spelling}`, { path: spelling }]),
  ])
}

/**
 * Creations without a valid key in each of these forms, with wrong keys, and with the key in other places. Each has a
 * body of its own: of equal ones only the first could be signed with the present time.
 */
export function keylessCreations(platform: PlatformSession) {
  const { key } = platform
  const creationOf = (draft: AccountDraft) => ({ method: 'POST', path: createPath, body: accountText(draft) }) as const
  const made = (what: string, attemptFor: (creation: ReturnType<typeof creationOf>) => Attempt) => {
    const draft = platform.draft()
    const creation = creationOf(draft)
    return { what, draft, creation, attempt: attemptFor(creation) }
  }
  const forms = Object.keys(keylessForms(platform, creationOf(platform.draft())))
  return [
    ...forms.map((form) => made(form, (creation) => keylessForms(platform, creation)[form] ?? {})),
    made('a chunked body', ({ body }) =>
      rawCreation(platform, { signed: body, sent: inTwoChunks(body), framing: chunked[0], key: null }),
    ),
    ...wrongPlatformKeys(key).map((wrong) => made(wrong === null ? 'no key' : 'a wrong key', () => ({ key: wrong }))),
    made('the key and another scheme', () => ({ headers: { Authorization: `Basic ${key}` } })),
    made('the key in the body', ({ body }) => ({
      body: toJson({ ...JSON.parse(body), api_key: key, apiKey: key, key }),
    })),
    made('the key in the query string', ({ path }) => ({
      path: `${path}?${new URLSearchParams({ api_key: key })}`,
    })),
  ]
}

/** A creation without a valid key makes no account, and its response, if there is one to judge, is a rejection. */
export async function expectKeylessRejected(
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
