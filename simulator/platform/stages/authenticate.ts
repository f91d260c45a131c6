import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { type Caller, createCaller } from '../../server/caller.ts'
import type { ErrorResponse } from '../../server/error-response.ts'
import type { ReceivedRequest } from '../../server/receive.ts'
import type { KeyRecord } from '../keys/key-pair.ts'
import type { PlatformService } from '../service.ts'

/** The caller and its key. */
export interface KeyHolder extends Caller {
  /** Undefined unless the request has a valid key. */
  readonly key: KeyRecord | undefined
}

/** Checks whether the request carries a valid key and comes from an allowed address (clause 5). */
export function authenticate(
  received: ReceivedRequest,
  { socket }: IncomingMessage,
  service: PlatformService,
): KeyHolder {
  const { hooks, allowedIps } = service
  // A connection inside the process has no address.
  if (allowedIps !== undefined && !isAllowed(socket?.remoteAddress, allowedIps)) throw hooks.rejectedAddress()
  const needsKey = hooks.asksForKey(received)
  const { key, rejection } = needsKey ? findKey(received, service) : { key: undefined, rejection: undefined }
  const unauthorized = () => rejection ?? hooks.missingKey()
  return { ...createCaller(rejection === undefined, hooks.disclosedWithoutAuth, unauthorized), key }
}

interface KeyLookup {
  readonly key: KeyRecord | undefined
  /** The error response if the key is not valid. */
  readonly rejection: ErrorResponse | undefined
}

function findKey(received: ReceivedRequest, { hooks, records, now }: PlatformService): KeyLookup {
  const presented = hooks.readBearer(received.headers) ?? hooks.readKeyElsewhere(received)
  if (presented === undefined || presented === '') return { key: undefined, rejection: hooks.missingKey() }
  const { keys } = records.current()
  const key = keys.find(({ apiKey }) => hooks.sameKey(presented, apiKey)) ?? hooks.findBySecret(presented, keys)
  if (key === undefined) return { key, rejection: hooks.wrongKey(presented) }
  return { key, rejection: hooks.judgeKey(key, now()) }
}

/** An IPv4 address may be written as an IPv6 address. */
function isAllowed(address: string | undefined, allowed: NonNullable<PlatformService['allowedIps']>): boolean {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/, '') ?? ''
  return allowed.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
