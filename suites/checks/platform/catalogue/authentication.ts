import type { HttpResponse } from '../../../client/response.ts'
import type { ObservedAnswer, PlatformObservation } from '../../../session/check.ts'
import { accountPath, createPath } from '../../../session/platform.ts'
import { arrangeAccount, isMembers } from '../../../session/platform-expect.ts'
import { unknownPath } from '../7-errors.ts'
import { onlyOwn, reading, readingSigned } from '../scopes.ts'
import { isUnauthorized, seenAs } from './seen.ts'

const acceptedOrRefused = { '2xx': 'accepted', '401': 'refused', '403': 'refused' } as const

/** Clauses 5 and 7: what the specification leaves open about the key and about errors. */
export const platformAuthenticationObservations: readonly PlatformObservation[] = [
  {
    id: 'CPQ-301',
    question: 'platform.errors.missing-key',
    title: 'GET /v1/account without a key shows the status for a missing key',
    ...reading,
    run: async ({ platform }) => seenAs(await platform.account({ key: null }), { 401: '401', 403: '403' }),
  },
  {
    id: 'CPQ-302',
    question: 'platform.errors.wrong-key',
    title: 'GET /v1/account with a wrong key shows the status for a wrong key',
    ...reading,
    run: async ({ platform }) => seenAs(await platform.account({ key: 'not-the-key' }), { 401: '401', 403: '403' }),
  },
  {
    id: 'CPQ-303',
    question: 'platform.errors.form',
    title: 'GET /v1/account with a wrong key shows the format of an error response',
    ...reading,
    run: async ({ platform }) => formOf(await platform.account({ key: 'not-the-key' })),
  },
  {
    id: 'CPQ-304',
    question: 'platform.auth.challenge',
    title: 'GET /v1/account without a key shows whether WWW-Authenticate is sent',
    ...reading,
    async run({ platform }) {
      const challenge = (await platform.account({ key: null })).headers['www-authenticate']
      return { answer: challenge === undefined ? 'absent' : 'sent', seen: challenge ?? '' }
    },
  },
  {
    id: 'CPQ-305',
    question: 'platform.auth.before-path',
    title: 'GET of an unknown platform path without a key shows whether the key is checked before the path',
    ...reading,
    async run({ platform }) {
      const request = { method: 'GET', path: unknownPath } as const
      return whatCameFirst(await platform.send({ ...request, key: null }), await platform.send(request))
    },
  },
  {
    id: 'CPQ-306',
    question: 'platform.auth.before-method',
    title: 'POST /v1/account without a key shows whether the key is checked before the method',
    ...onlyOwn,
    async run({ platform }) {
      const request = { method: 'POST', path: accountPath, body: '{}' } as const
      return whatCameFirst(await platform.send({ ...request, key: null }), await platform.send(request))
    },
  },
  {
    id: 'CPQ-307',
    question: 'platform.auth.before-body',
    title: 'POST /v1/trading-accounts with invalid JSON and no key shows whether the key is checked before the body',
    ...onlyOwn,
    async run({ platform }) {
      const request = { method: 'POST', path: createPath, body: '{' } as const
      return whatCameFirst(await platform.send({ ...request, key: null }), await platform.send(request))
    },
  },
  {
    id: 'CPQ-308',
    question: 'platform.auth.bearer-spaces',
    title: 'GET /v1/account with two spaces after Bearer shows whether extra spaces are accepted',
    ...reading,
    async run({ platform }) {
      await arrangeAccount(platform)
      const headers = { Authorization: `Bearer  ${platform.key}` }
      return seenAs(await platform.account({ key: null, headers }), acceptedOrRefused)
    },
  },
  {
    id: 'CPQ-309',
    question: 'platform.auth.x-api-key',
    title: 'GET /v1/account with the key in X-API-Key shows whether that header is accepted',
    ...reading,
    async run({ platform }) {
      await arrangeAccount(platform)
      return seenAs(await platform.account({ key: null, headers: { 'X-API-Key': platform.key } }), acceptedOrRefused)
    },
  },
  {
    id: 'CPQ-310',
    question: 'platform.auth.secret-as-bearer',
    title: 'GET /v1/account with the API Secret as the key shows whether the secret is accepted',
    ...readingSigned,
    async run({ platform }) {
      await arrangeAccount(platform)
      return seenAs(await platform.account({ key: platform.secret }), acceptedOrRefused)
    },
  },
]

/** `after`: without a key, the other mistake of the request is reported first, as with the key. */
function whatCameFirst(without: HttpResponse, withKey: HttpResponse): ObservedAnswer {
  const seen = `status ${without.status} without the key, ${withKey.status} with it`
  if (without.status === withKey.status) return { answer: isUnauthorized(without) ? null : 'after', seen }
  return { answer: isUnauthorized(without) ? 'before' : null, seen }
}

function formOf({ json, headers, text }: HttpResponse): ObservedAnswer {
  const seen = text.slice(0, 200)
  if (!isMembers(json)) return { answer: json === undefined ? 'no-json' : null, seen }
  if (headers['content-type']?.toLowerCase().startsWith('application/problem+json')) return { answer: 'problem', seen }
  if (typeof json.error === 'string') return { answer: 'text', seen }
  if (isMembers(json.error)) return { answer: typeof json.error.code === 'string' ? 'coded' : null, seen }
  return { answer: typeof json.message === 'string' ? 'message' : null, seen }
}
