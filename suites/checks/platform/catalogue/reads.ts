import { isObject } from '../../../client/json.ts'
import type { HttpResponse } from '../../../client/response.ts'
import type { ObservedAnswer } from '../../../session/check.ts'
import { accountPath, createPath, type PlatformRequest } from '../../../session/platform.ts'
import { arrangeAccount, ofAccount } from '../../../session/platform-expect.ts'
import type { PlatformSession } from '../../../session/platform-session.ts'
import { answerFor, observeHeader } from '../../plugin/catalogue/observe.ts'
import { unknownPath } from '../7-errors.ts'
import { momentOf } from '../moment.ts'
import { disclosing, disposableOnly, reading } from '../scopes.ts'
import { getAccount, getWithQuery, isUnauthorized, observing, type RequestRow } from './row.ts'

const acceptedOrRejected = { '2xx': 'accepted', '401': 'refused', '403': 'refused' } as const
const unauthorized = { 401: '401', 403: '403' } as const

/** GET of a path other than the account's, after a successful GET of the account. */
const atPath = (path: string): Pick<RequestRow, 'after' | 'send'> => ({
  after: arrangeAccount,
  send: () => ({ method: 'GET', path }),
})

/** Clauses 2.1, 4.1, 5, 7, 8 and 9: the account, the key, paths, methods and headers. */
export const readObservations = [
  ...observing(reading, {
    'CPQ-101 GET /v1/account shows the status of the account': {
      point: 'account.status-value',
      observe: ofAccount(({ status }) => {
        if (typeof status !== 'string') return { answer: null, seen: 'status is not a string' }
        return { answer: status === 'active' ? 'active' : 'other', seen: status }
      }),
    },
    'CPQ-102 GET /v1/account shows how precise created_at is': {
      point: 'account.created-at-precision',
      observe: ofAccount(({ created_at }) => {
        const answers: Readonly<Record<string, string>> = { 0: 'seconds', 3: 'milliseconds', 6: 'microseconds' }
        return { answer: answers[momentOf(created_at)?.fraction ?? ''] ?? null, seen: String(created_at) }
      }),
    },
    'CPQ-103 GET /v1/account shows how created_at marks UTC': {
      point: 'account.created-at-zone',
      observe: ofAccount(({ created_at: at }) => ({ answer: momentOf(at)?.zone ?? null, seen: String(at) })),
    },
    'CPQ-104 GET /v1/account shows whether the account has undocumented fields': {
      point: 'account.further-members',
      observe: ofAccount(({ id, name, status, created_at, ...others }) => {
        const further = Object.keys(others)
        return { answer: further.length === 0 ? 'none' : 'more', seen: further.join(', ') }
      }),
    },
    'CPQ-105 GET /v1/account without Content-Type shows whether the request is accepted': {
      point: 'account.content-type-absent',
      send: () => getAccount({ contentType: null }),
      answers: { '2xx': 'accepted', 400: '400', 415: '415' },
    },
    'CPQ-301 GET /v1/account without a key shows the status for a missing key': {
      point: 'errors.missing-key',
      send: () => getAccount({ key: null }),
      answers: unauthorized,
    },
    'CPQ-302 GET /v1/account with a wrong key shows the status for a wrong key': {
      point: 'errors.wrong-key',
      send: () => getAccount({ key: 'not-the-key' }),
      answers: unauthorized,
    },
    'CPQ-303 GET /v1/account with a wrong key shows the format of an error response': {
      point: 'errors.form',
      observe: async (platform) => formOf(await platform.account({ key: 'not-the-key' })),
    },
    'CPQ-304 GET /v1/account without a key shows whether WWW-Authenticate is sent': {
      point: 'auth.challenge',
      observe: async (platform) => observeHeader(await platform.account({ key: null }), 'www-authenticate'),
    },
    'CPQ-305 GET of an unknown platform path without a key shows whether the key is checked before the path': {
      point: 'auth.before-path',
      observe: whatComesFirst({ method: 'GET', path: unknownPath }),
    },
    'CPQ-311 GET /v1/account with a lower-case bearer scheme shows whether that spelling is accepted': {
      point: 'auth.bearer-case',
      after: arrangeAccount,
      send: ({ key }) => getAccount({ key: null, headers: { Authorization: `bearer ${key}` } }),
      answers: acceptedOrRejected,
    },
    'CPQ-308 GET /v1/account with two spaces after Bearer shows whether extra spaces are accepted': {
      point: 'auth.bearer-spaces',
      after: arrangeAccount,
      send: ({ key }) => getAccount({ key: null, headers: { Authorization: `Bearer  ${key}` } }),
      answers: acceptedOrRejected,
    },
    'CPQ-309 GET /v1/account with the key in X-API-Key shows whether that header is accepted': {
      point: 'auth.x-api-key',
      after: arrangeAccount,
      send: ({ key }) => getAccount({ key: null, headers: { 'X-API-Key': key } }),
      answers: acceptedOrRejected,
    },
    'CPQ-501 GET of an unknown platform path shows the status for an unknown path': {
      point: 'errors.unknown-path',
      ...atPath(unknownPath),
      answers: { 404: '404', 400: '400' },
    },
    'CPQ-503 HEAD /v1/account shows whether HEAD is allowed': {
      point: 'method.head',
      send: () => ({ method: 'HEAD', path: accountPath }),
      answers: { '2xx': 'allowed', 405: '405', 404: '404' },
    },
    'CPQ-504 OPTIONS /v1/account shows how OPTIONS is handled': {
      point: 'method.options',
      send: () => ({ method: 'OPTIONS', path: accountPath }),
      answers: { 405: '405', 404: '404', 204: '204', 200: '200' },
    },
    'CPQ-505 GET /account shows how a path without a version is handled': {
      point: 'path.without-version',
      ...atPath('/account'),
      answers: { '2xx': 'answered', '3xx': 'redirected', '4xx': 'unknown' },
    },
    'CPQ-506 GET /v1/account/ shows how a trailing slash is handled': {
      point: 'path.trailing-slash',
      ...atPath(`${accountPath}/`),
      answers: { '2xx': 'ignored', '3xx': 'redirected', '4xx': 'unknown' },
    },
    'CPQ-507 GET /v1//account shows how a double slash is handled': {
      point: 'path.double-slash',
      ...atPath('/v1//account'),
      answers: { '2xx': 'ignored', '3xx': 'redirected', '4xx': 'unknown' },
    },
    'CPQ-508 GET /V1/Account shows whether paths are case-sensitive': {
      point: 'path.case',
      ...atPath('/V1/Account'),
      answers: { '2xx': 'insensitive', '4xx': 'sensitive' },
    },
    'CPQ-509 GET /v1/account?x=1 shows how a query string is handled': {
      point: 'path.query',
      async observe(platform) {
        await arrangeAccount(platform)
        return answerFor((await getWithQuery(platform, accountPath, 'x=1')).status, { '2xx': 'ignored', 400: '400' })
      },
    },
    'CPQ-510 GET /v1/account shows whether responses report a rate limit': {
      point: 'limits.headers',
      async observe(platform) {
        const names = Object.keys((await platform.account()).headers).filter((name) => name.includes('ratelimit'))
        const named = names.some((name) => name.startsWith('x-')) ? 'x-ratelimit' : 'ratelimit'
        return { answer: names.length === 0 ? 'absent' : named, seen: names.join(', ') }
      },
    },
    'CPQ-511 GET /v1/account shows whether responses have an X-Request-Id header': {
      point: 'headers.request-id',
      observe: async (platform) => observeHeader(await platform.account(), 'x-request-id'),
    },
  }),
  ...observing(disclosing, {
    'CPQ-310 GET /v1/account with the API Secret as the key shows whether the secret is accepted': {
      point: 'auth.secret-as-bearer',
      after: arrangeAccount,
      send: ({ secret }) => getAccount({ key: secret }),
      answers: acceptedOrRejected,
    },
  }),
  ...observing(disposableOnly, {
    'CPQ-306 POST /v1/account without a key shows whether the key is checked before the method': {
      point: 'auth.before-method',
      observe: whatComesFirst({ method: 'POST', path: accountPath, body: '{}' }),
    },
    'CPQ-307 POST /v1/trading-accounts with invalid JSON and no key shows whether the key is checked before the body': {
      point: 'auth.before-body',
      observe: whatComesFirst({ method: 'POST', path: createPath, body: '{' }),
    },
    'CPQ-502 POST /v1/account with an empty object shows the status for a wrong method': {
      point: 'method.account',
      send: () => ({ method: 'POST', path: accountPath, body: '{}' }),
      answers: { 405: '405', 404: '404', 400: '400' },
    },
  }),
]

/** The answer is `after` if, without a key, the other mistake in the request is still reported first. */
function whatComesFirst(request: PlatformRequest): (platform: PlatformSession) => Promise<ObservedAnswer> {
  return async (platform) => {
    const without = await platform.send({ ...request, key: null })
    const withKey = await platform.send(request)
    const seen = `status ${without.status} without the key, ${withKey.status} with it`
    if (without.status === withKey.status) return { answer: isUnauthorized(without) ? null : 'after', seen }
    return { answer: isUnauthorized(without) ? 'before' : null, seen }
  }
}

function formOf({ json, headers, text }: HttpResponse): ObservedAnswer {
  const seen = text.slice(0, 200)
  if (!isObject(json)) return { answer: json === undefined ? 'no-json' : null, seen }
  if (headers['content-type']?.toLowerCase().startsWith('application/problem+json')) return { answer: 'problem', seen }
  if (typeof json.error === 'string') return { answer: 'text', seen }
  if (isObject(json.error)) return { answer: typeof json.error.code === 'string' ? 'coded' : null, seen }
  return { answer: typeof json.message === 'string' ? 'message' : null, seen }
}
