import { type Caller, createCaller } from '../../server/caller.ts'
import type { ReceivedRequest } from '../../server/receive.ts'
import type { Service } from '../service.ts'

/** Checks whether the request carries the key (clause 5). */
export function authenticate(received: ReceivedRequest, { hooks, key }: Service): Caller {
  const rejection = key === '' ? hooks.rejectWhenDisabled() : undefined
  if (rejection !== undefined) throw rejection
  const authorized = !hooks.asksForKey(received) || carriesKey(received, { hooks, key })
  return createCaller(authorized, hooks.disclosedWithoutAuth, hooks.unauthorized)
}

function carriesKey({ headers, target }: ReceivedRequest, { hooks, key }: Pick<Service, 'hooks' | 'key'>): boolean {
  const given = {
    apiKey: hooks.readApiKeyHeader(headers) ?? hooks.readKeyElsewhere(target, headers),
    bearer: hooks.readAuthorizationHeader(headers),
  }
  return hooks.acceptsCredentials(given, (candidate) => hooks.sameKey(candidate, key))
}
