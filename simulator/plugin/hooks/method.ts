import type { UnknownMethodOutcome } from '../../server/api.ts'
import { Dropped, ErrorResponse } from '../../server/error-response.ts'
import type { Profile } from '../profile/profile.ts'
import { fillIn, type Wording } from '../profile/wording.ts'
import type { EndpointName } from './path.ts'

export type OperationName = 'read-status' | 'list-rules' | 'add-rule' | 'remove-rule' | 'show-methods'

/** Which methods are served, and how others are rejected (clause 4.2, RFC 9110). */
export interface MethodHooks {
  /** The methods of an endpoint, with the operation of each. */
  readonly methodsOf: (endpoint: EndpointName) => ReadonlyMap<string, OperationName>
  readonly methodNotAllowed: (allow: readonly string[]) => ErrorResponse
  /** The response to OPTIONS, where it is served. */
  readonly showMethods: (allow: readonly string[]) => { readonly status: number; readonly allow: string }
  /** A standard method that is not in upper case: `get`. */
  readonly lowerCaseMethod: (method: string) => UnknownMethodOutcome
  /** A method that is not standard: `BREW`. */
  readonly unknownMethod: (method: string) => UnknownMethodOutcome
}

const operations: Readonly<Record<EndpointName, readonly (readonly [string, OperationName])[]>> = {
  status: [['GET', 'read-status']],
  rules: [
    ['GET', 'list-rules'],
    ['POST', 'add-rule'],
  ],
  rule: [['DELETE', 'remove-rule']],
}

export function methodHooks(profile: Profile, { errorTexts }: Wording): MethodHooks {
  const head = profile['plugin.method.head'] === 'allowed'
  const options = profile['plugin.method.options']
  const served = (endpoint: EndpointName) => {
    const methods = new Map(operations[endpoint])
    const read = methods.get('GET')
    if (head && read !== undefined) methods.set('HEAD', read)
    if (options !== '405') methods.set('OPTIONS', 'show-methods')
    return methods
  }
  const methods = { status: served('status'), rules: served('rules'), rule: served('rule') }
  return {
    methodsOf: (endpoint) => methods[endpoint],
    methodNotAllowed: (allowed) => {
      const allow = allowed.join(', ')
      return new ErrorResponse(405, fillIn(errorTexts['method-not-allowed'], { allow }), { Allow: allow })
    },
    showMethods: (allow) => ({ status: Number(options), allow: allow.join(', ') }),
    lowerCaseMethod: (method) =>
      unknownMethodOutcome(profile['plugin.method.lower-case'], method, errorTexts['method-lower-case']),
    unknownMethod: (method) =>
      unknownMethodOutcome(profile['plugin.method.unknown'], method, errorTexts['method-unknown']),
  }
}

type UnknownMethodAnswer = Profile['plugin.method.lower-case'] | Profile['plugin.method.unknown']

function unknownMethodOutcome(answer: UnknownMethodAnswer, method: string, text: string): UnknownMethodOutcome {
  if (answer === 'closed') return new Dropped()
  if (answer === 'accepted') return { replaceBy: method.toUpperCase() }
  // No endpoint has PATCH, so the request gets 401, 404 or 405 like any other.
  if (answer === '405') return { replaceBy: 'PATCH' }
  return new ErrorResponse(Number(answer), text)
}
