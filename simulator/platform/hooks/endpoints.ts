import { apiHooks, type EndpointRow, type UnknownMethodOutcome } from '../../server/api.ts'
import { ErrorResponse } from '../../server/response.ts'
import type { PlatformProfile } from '../profile/profile.ts'

export type EndpointName = 'account' | 'trading-accounts' | 'list' | 'trading-account'
export type OperationName = 'read-account' | 'create-account' | 'list-accounts' | 'read-trading-account'

/** The paths that only list accounts. */
const listPaths: Readonly<Partial<Record<PlatformProfile['platform.list.path'], string>>> = {
  'trading-accounts-list': '/trading-accounts/list',
  'accounts': '/accounts',
}

/** The paths after the version, and their methods (clause 4.1). */
function endpointsOf(profile: PlatformProfile): readonly EndpointRow<EndpointName, OperationName>[] {
  const list = profile['platform.list.path']
  const path = listPaths[list]
  const alsoLists = list === 'trading-accounts' ? ({ GET: 'list-accounts' } as const) : {}
  const showsSingleAccounts = profile['platform.create.location'] === 'sent'
  const creation = { POST: 'create-account', ...alsoLists } as const
  return [
    { name: 'account', path: '/account', operations: { GET: 'read-account' } },
    { name: 'trading-accounts', path: '/trading-accounts', operations: creation, hasQuery: true },
    ...(path === undefined
      ? []
      : [{ name: 'list', path, operations: { GET: 'list-accounts' }, hasQuery: true } as const]),
    ...(showsSingleAccounts ? [singleAccount] : []),
  ]
}

const singleAccount: EndpointRow<EndpointName, OperationName> = {
  name: 'trading-account',
  path: '/trading-accounts/:id',
  operations: { GET: 'read-trading-account' },
  hasQuery: true,
}

/** How the request line and headers are read, and the other decisions of any JSON API (clause 4.1, 9, RFC 9110). */
export function endpointHooks(profile: PlatformProfile) {
  const head = profile['platform.method.head']
  const options = profile['platform.method.options']
  const api = apiHooks({
    endpoints: endpointsOf(profile),
    answer: (point) => profile[`platform.${point}`],
    sizeLimit: profile['platform.create.size-limit'],
    texts: {
      tooLarge: 'The body is too large.',
      notSaved: 'Internal server error: the account could not be saved.',
    },
  })
  return {
    ...api,
    isVersion: (segment: string): boolean => api.sameSegment(segment, 'v1'),
    /** How a path without the version is handled. */
    withoutVersion: profile['platform.path.without-version'],
    unknownEndpoint: (): ErrorResponse =>
      new ErrorResponse(Number(profile['platform.errors.unknown-path']), 'Unknown endpoint.'),
    judgeQuery: (query: string): ErrorResponse | undefined =>
      query === '' || profile['platform.path.query'] === 'ignored'
        ? undefined
        : new ErrorResponse(400, 'A query string is not allowed.'),
    methodNotAllowed: (allow: readonly string[], method: string): ErrorResponse => {
      const statuses: Readonly<Record<string, string>> = { HEAD: head, OPTIONS: options }
      return refused(Number(statuses[method] ?? profile['platform.method.account']), allow)
    },
    /** A standard method that is not in upper case: `get`. */
    lowerCaseMethod: (_method: string): UnknownMethodOutcome => new ErrorResponse(400, 'The method is unknown.'),
    /** A method that is not standard: `BREW`. */
    unknownMethod: (_method: string): UnknownMethodOutcome => new ErrorResponse(400, 'The method is unknown.'),
  }
}

/** Any other status becomes 405: the answer for HEAD may be `allowed`, which is not a number, on a path without GET. */
function refused(status: number, allow: readonly string[]): ErrorResponse {
  if (status === 404) return new ErrorResponse(404, 'Unknown endpoint.')
  if (status === 400) return new ErrorResponse(400, 'The method is not served here.')
  return new ErrorResponse(405, `Method not allowed. Allowed: ${allow.join(', ')}.`, { Allow: allow.join(', ') })
}
