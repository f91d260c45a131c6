import { isIPv6 } from 'node:net'
import { type Caller, callerOf } from '../../server/caller.ts'
import type { ErrorResponse } from '../../server/error-response.ts'
import type { KeyRecord } from '../keys/key-pair.ts'
import type { PlatformService } from '../service.ts'
import type { Received } from './receive.ts'

/** Who sent the request: whether it may be served, and with which key. */
export interface KeyHolder extends Caller {
  /** Undefined where the request came without a right key. */
  readonly key: KeyRecord | undefined
}

/** Finds out whether the request carries a key that counts now, from an address that may use it (clause 5). */
export function authenticate(received: Received, service: PlatformService): KeyHolder {
  const { hooks, allowedIps } = service
  if (allowedIps !== undefined && !isAllowed(received.address, allowedIps)) throw hooks.refusedAddress()
  const found = hooks.asksForKey(received) ? findKey(received, service) : { key: undefined, denial: undefined }
  const { denial } = found
  const caller = callerOf({
    authorized: denial === undefined,
    toldToStrangers: hooks.toldToStrangers,
    unauthorized: () => denial ?? hooks.missingKey(),
  })
  return { ...caller, key: found.key }
}

interface Found {
  readonly key: KeyRecord | undefined
  /** What the caller is told where the key does not count. */
  readonly denial: ErrorResponse | undefined
}

function findKey(received: Received, { hooks, records, now }: PlatformService): Found {
  const given = hooks.readBearer(received.headers) ?? hooks.readKeyElsewhere(received)
  if (given === undefined || given === '') return { key: undefined, denial: hooks.missingKey() }
  const { keys } = records.present()
  const key = keys.find(({ apiKey }) => hooks.sameKey(given, apiKey)) ?? hooks.findBySecret(given, keys)
  if (key === undefined) return { key, denial: hooks.wrongKey(given) }
  return { key, denial: hooks.judgeKey(key, now()) }
}

/** An IPv4 address may come written as one of IPv6. */
function isAllowed(address: string | undefined, allowed: NonNullable<PlatformService['allowedIps']>): boolean {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/, '') ?? ''
  return allowed.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
