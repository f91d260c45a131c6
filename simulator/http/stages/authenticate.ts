import { type Caller, callerOf } from '../../server/caller.ts'
import type { Service } from '../service.ts'
import type { Received } from './receive.ts'

/** Finds out whether the request carries the key (clause 5). */
export function authenticate(received: Received, { seams, key }: Service): Caller {
  const denial = key === '' ? seams.denyWhenDisabled() : undefined
  if (denial !== undefined) throw denial
  const authorized = !seams.asksForKey(received) || carriesKey(received, { seams, key })
  return callerOf({ authorized, toldToStrangers: seams.toldToStrangers, unauthorized: seams.unauthorized })
}

function carriesKey({ headers, target }: Received, { seams, key }: Pick<Service, 'seams' | 'key'>): boolean {
  const given = {
    apiKey: seams.readApiKeyHeader(headers) ?? seams.readKeyElsewhere(target, headers),
    bearer: seams.readAuthorizationHeader(headers),
  }
  return seams.acceptsCredentials(given, (candidate) => seams.sameKey(candidate, key))
}
