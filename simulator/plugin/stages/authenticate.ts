import { type Caller, callerOf } from '../../server/caller.ts'
import type { Service } from '../service.ts'
import type { Received } from './receive.ts'

/** Finds out whether the request carries the key (clause 5). */
export function authenticate(received: Received, { hooks, key }: Service): Caller {
  const denial = key === '' ? hooks.denyWhenDisabled() : undefined
  if (denial !== undefined) throw denial
  const authorized = !hooks.asksForKey(received) || carriesKey(received, { hooks, key })
  return callerOf({ authorized, toldToStrangers: hooks.toldToStrangers, unauthorized: hooks.unauthorized })
}

function carriesKey({ headers, target }: Received, { hooks, key }: Pick<Service, 'hooks' | 'key'>): boolean {
  const given = {
    apiKey: hooks.readApiKeyHeader(headers) ?? hooks.readKeyElsewhere(target, headers),
    bearer: hooks.readAuthorizationHeader(headers),
  }
  return hooks.acceptsCredentials(given, (candidate) => hooks.sameKey(candidate, key))
}
