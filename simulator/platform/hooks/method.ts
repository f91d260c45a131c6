import type { UnknownMethodOutcome } from '../../server/api.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { PlatformProfile } from '../profile/profile.ts'
import type { EndpointName } from './path.ts'

export type OperationName =
  | 'read-account'
  | 'create-account'
  | 'list-accounts'
  | 'read-trading-account'
  | 'show-methods'

/** Which methods are served, and how others are rejected (clause 4.1, RFC 9110). */
export interface MethodHooks {
  /** The methods of an endpoint, with the operation of each. */
  readonly methodsOf: (endpoint: EndpointName) => ReadonlyMap<string, OperationName>
  readonly methodNotAllowed: (method: string, allow: readonly string[]) => ErrorResponse
  /** The response to OPTIONS, where it is served. */
  readonly showMethods: (allow: readonly string[]) => { readonly status: number; readonly allow: string }
  /** A standard method that is not in upper case: `get`. */
  readonly lowerCaseMethod: (method: string) => UnknownMethodOutcome
  /** A method that is not standard: `BREW`. */
  readonly unknownMethod: (method: string) => UnknownMethodOutcome
}

const operations: Readonly<Record<EndpointName, readonly (readonly [string, OperationName])[]>> = {
  account: [['GET', 'read-account']],
  'trading-accounts': [['POST', 'create-account']],
  list: [['GET', 'list-accounts']],
  'trading-account': [['GET', 'read-trading-account']],
}

export function methodHooks(profile: PlatformProfile): MethodHooks {
  const head = profile['platform.method.head']
  const options = profile['platform.method.options']
  const servesOptions = options === '200' || options === '204'
  const listsWhereItCreates = profile['platform.list.path'] === 'trading-accounts'
  return {
    methodsOf: (endpoint) => {
      const methods = new Map(operations[endpoint])
      if (endpoint === 'trading-accounts' && listsWhereItCreates) methods.set('GET', 'list-accounts')
      const read = methods.get('GET')
      if (head === 'allowed' && read !== undefined) methods.set('HEAD', read)
      if (servesOptions) methods.set('OPTIONS', 'show-methods')
      return methods
    },
    methodNotAllowed: (method, allow) => {
      const statuses: Readonly<Record<string, string>> = { HEAD: head, OPTIONS: options }
      return refused(Number(statuses[method] ?? profile['platform.method.account']), allow)
    },
    showMethods: (allow) => ({ status: Number(options), allow: allow.join(', ') }),
    lowerCaseMethod: () => new ErrorResponse(400, 'The method is unknown.'),
    unknownMethod: () => new ErrorResponse(400, 'The method is unknown.'),
  }
}

/** Any other status becomes 405: HEAD may be `allowed`, which is not a number, on a path without GET. */
function refused(status: number, allow: readonly string[]): ErrorResponse {
  if (status === 404) return new ErrorResponse(404, 'Unknown endpoint.')
  if (status === 400) return new ErrorResponse(400, 'The method is not served here.')
  return new ErrorResponse(405, `Method not allowed. Allowed: ${allow.join(', ')}.`, { Allow: allow.join(', ') })
}
