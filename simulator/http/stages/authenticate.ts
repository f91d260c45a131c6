import type { Concern, Denial, Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { Received } from './receive.ts'

/** Who sent the request, and with it what they are told. */
export interface Caller {
  readonly authorized: boolean
  /** Throws the refusal, or 401 in its place where that is not for this caller to know. */
  readonly refuse: (concern: Concern, refusal: Denial) => never
  /** Throws 401 unless the caller is authorized, or may first be told about the concern. */
  readonly admit: (concern?: Concern) => void
}

/** Finds out whether the request carries the key (clause 5). */
export function authenticate(received: Received, { seams, key }: Service): Caller {
  const denial = key === '' ? seams.denyWhenDisabled() : undefined
  if (denial !== undefined) throw denial
  const authorized = !seams.asksForKey(received) || carriesKey(received, { seams, key })
  const tells = (concern?: Concern) => authorized || (concern !== undefined && seams.toldToStrangers.includes(concern))
  return {
    authorized,
    refuse: (concern, refusal) => {
      throw tells(concern) ? refusal : (seams.unauthorized() satisfies Refusal)
    },
    admit: (concern) => {
      if (!tells(concern)) throw seams.unauthorized()
    },
  }
}

function carriesKey({ headers, target }: Received, { seams, key }: Pick<Service, 'seams' | 'key'>): boolean {
  const given = {
    apiKey: seams.readApiKeyHeader(headers) ?? seams.readKeyElsewhere(target, headers),
    bearer: seams.readAuthorizationHeader(headers),
  }
  return seams.acceptsCredentials(given, (candidate) => seams.sameKey(candidate, key))
}
