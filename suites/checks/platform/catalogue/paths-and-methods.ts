import type { ObservedAnswer, PlatformObservation } from '../../../session/check.ts'
import { accountPath } from '../../../session/platform.ts'
import { arrangeAccount } from '../../../session/platform-expect.ts'
import type { PlatformSession } from '../../../session/platform-session.ts'
import { unknownPath } from '../7-errors.ts'
import { reading } from '../scopes.ts'
import { getWithQuery, seenAs } from './seen.ts'

/** Reads the account at another spelling of its path. */
async function lookAtPath(
  platform: PlatformSession,
  path: string,
  answers: Readonly<Record<string, string>>,
): Promise<ObservedAnswer> {
  await arrangeAccount(platform)
  return seenAs(await platform.send({ method: 'GET', path }), answers)
}

/** Clauses 4.1, 7, 8 and 9: what the specification leaves open about paths, methods and headers. */
export const platformPathObservations: readonly PlatformObservation[] = [
  {
    id: 'CPQ-501',
    question: 'platform.errors.unknown-path',
    title: 'GET of an unknown platform path shows the status for an unknown path',
    ...reading,
    run: ({ platform }) => lookAtPath(platform, unknownPath, { 404: '404', 400: '400' }),
  },
  {
    id: 'CPQ-502',
    question: 'platform.method.account',
    title: 'POST /v1/account with an empty object shows the status for a wrong method',
    risk: 'write',
    needs: ['platform', 'own-platform'],
    run: async ({ platform }) =>
      seenAs(await platform.send({ method: 'POST', path: accountPath, body: '{}' }), {
        405: '405',
        404: '404',
        400: '400',
      }),
  },
  {
    id: 'CPQ-503',
    question: 'platform.method.head',
    title: 'HEAD /v1/account shows whether HEAD is allowed',
    ...reading,
    run: async ({ platform }) =>
      seenAs(await platform.send({ method: 'HEAD', path: accountPath }), {
        '2xx': 'allowed',
        405: '405',
        404: '404',
      }),
  },
  {
    id: 'CPQ-504',
    question: 'platform.method.options',
    title: 'OPTIONS /v1/account shows how OPTIONS is handled',
    ...reading,
    run: async ({ platform }) =>
      seenAs(await platform.send({ method: 'OPTIONS', path: accountPath }), {
        405: '405',
        404: '404',
        204: '204',
        200: '200',
      }),
  },
  {
    id: 'CPQ-505',
    question: 'platform.path.without-version',
    title: 'GET /account shows how a path without a version is handled',
    ...reading,
    run: ({ platform }) =>
      lookAtPath(platform, '/account', { '2xx': 'answered', '3xx': 'redirected', '4xx': 'unknown' }),
  },
  {
    id: 'CPQ-506',
    question: 'platform.path.trailing-slash',
    title: 'GET /v1/account/ shows how a trailing slash is handled',
    ...reading,
    run: ({ platform }) =>
      lookAtPath(platform, `${accountPath}/`, { '2xx': 'ignored', '3xx': 'redirected', '4xx': 'unknown' }),
  },
  {
    id: 'CPQ-507',
    question: 'platform.path.double-slash',
    title: 'GET /v1//account shows how a double slash is handled',
    ...reading,
    run: ({ platform }) => lookAtPath(platform, '/v1//account', { '2xx': 'ignored', '4xx': 'unknown' }),
  },
  {
    id: 'CPQ-508',
    question: 'platform.path.case',
    title: 'GET /V1/Account shows whether paths are case-sensitive',
    ...reading,
    run: ({ platform }) => lookAtPath(platform, '/V1/Account', { '2xx': 'insensitive', '4xx': 'sensitive' }),
  },
  {
    id: 'CPQ-509',
    question: 'platform.path.query',
    title: 'GET /v1/account?x=1 shows how a query string is handled',
    ...reading,
    async run({ platform }) {
      await arrangeAccount(platform)
      return seenAs(await getWithQuery(platform, accountPath, 'x=1'), { '2xx': 'ignored', 400: '400' })
    },
  },
  {
    id: 'CPQ-510',
    question: 'platform.limits.headers',
    title: 'GET /v1/account shows whether responses report a rate limit',
    ...reading,
    async run({ platform }) {
      const names = Object.keys((await platform.account()).headers).filter((name) => name.includes('ratelimit'))
      const seen = names.join(', ')
      if (names.length === 0) return { answer: 'absent', seen }
      return { answer: names.some((name) => name.startsWith('x-')) ? 'x-ratelimit' : 'ratelimit', seen }
    },
  },
  {
    id: 'CPQ-511',
    question: 'platform.headers.request-id',
    title: 'GET /v1/account shows whether responses have an X-Request-Id header',
    ...reading,
    async run({ platform }) {
      const id = (await platform.account()).headers['x-request-id']
      return { answer: id === undefined ? 'absent' : 'sent', seen: id ?? '' }
    },
  },
]
