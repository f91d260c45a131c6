import { type Caller, createCaller, type ReceivedRequest } from '../../server/receive.ts'
import type { Service } from '../service.ts'

/** Checks whether the request carries the key (clause 5). */
export function authenticate(received: ReceivedRequest, { hooks, key }: Service): Caller {
  const rejection = key === '' ? hooks.rejectWhenDisabled() : undefined
  if (rejection !== undefined) throw rejection
  const { headers, target } = received
  const carriesKey = () => {
    const apiKey = hooks.readApiKeyHeader(headers) ?? hooks.readKeyElsewhere(target, headers)
    const bearer = hooks.readAuthorizationHeader(headers)
    return hooks.acceptsCredentials({ apiKey, bearer }, (candidate) => hooks.sameKey(candidate, key))
  }
  const authorized = !hooks.asksForKey(received, key) || carriesKey()
  return createCaller(authorized, hooks.disclosedWithoutAuth, hooks.unauthorized)
}
