import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { createCaller, type ReceivedRequest } from '../../server/receive.ts'
import type { CompleteRequest } from '../../server/request-body.ts'
import { ErrorResponse } from '../../server/response.ts'
import type { KeyRecord } from '../keys/key-pair.ts'
import type { PlatformService } from '../service.ts'

export type KeyHolder = ReturnType<typeof authenticate>

/** Checks whether the request carries a valid key and comes from an allowed address (clause 5). */
export function authenticate(received: ReceivedRequest, { socket }: IncomingMessage, service: PlatformService) {
  const { hooks, allowedIps } = service
  // A connection inside the process has no address.
  if (allowedIps !== undefined && !isAllowed(socket?.remoteAddress, allowedIps)) throw hooks.rejectedAddress()
  const found = hooks.asksForKey(received) ? findKey(received, service) : undefined
  const isRejected = found instanceof ErrorResponse
  const unauthorized = () => (isRejected ? found : hooks.missingKey())
  const caller = createCaller(!isRejected, hooks.disclosedWithoutAuth, unauthorized)
  // The key is undefined unless it is valid.
  return { ...caller, key: isRejected ? undefined : found }
}

/** The key of the request, or why it is not valid. */
function findKey(received: ReceivedRequest, { hooks, records, now }: PlatformService): KeyRecord | ErrorResponse {
  const presented = hooks.readBearer(received.headers) ?? hooks.readKeyElsewhere(received)
  if (presented === undefined || presented === '') return hooks.missingKey()
  const { keys } = records.current()
  const key = keys.find(({ apiKey }) => hooks.sameKey(presented, apiKey)) ?? hooks.findBySecret(presented, keys)
  if (key === undefined) return hooks.wrongKey(presented)
  return hooks.judgeKey(key, now()) ?? key
}

/** An IPv4 address may be written as an IPv6 address. */
function isAllowed(address: string | undefined, allowed: NonNullable<PlatformService['allowedIps']>): boolean {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/, '') ?? ''
  return allowed.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

/** A request with its body, which its signature covers. */
export interface SignedRequest extends CompleteRequest {
  readonly caller: KeyHolder
}

/** Verifies the signature, if the request has or needs one (clause 5, public facts). */
export function verify({ received, caller, body }: SignedRequest, service: PlatformService): void {
  const { hooks, now, signatureWindowMs, replays } = service
  // Without a valid key there is no secret to verify with, and the request is rejected anyway.
  if (!hooks.checksSignatures || caller.key === undefined) return
  const given = hooks.judgePresence(hooks.readSignature(received.headers))
  if (given === 'unsigned') {
    hooks.judgeUnsigned()
    return
  }
  const { timestamp, signature } = given
  const { method, target } = received
  const parts = { timestamp, method, path: hooks.signedPath(target), body }
  const right = hooks.sign(Buffer.from(caller.key.secretHash, 'hex'), parts)
  if (!hooks.sameSignature(signature, right)) throw hooks.wrongSignature('The signature is wrong.')
  const aheadMs = Number(/^\d+$/.test(timestamp) ? timestamp : Number.NaN) * 1000 - now()
  if (!hooks.isFresh(aheadMs, signatureWindowMs)) {
    throw hooks.wrongSignature('The timestamp is too far from the time of the server.')
  }
  if (hooks.countsOnce(method) && !replays.firstUse(right, now())) {
    throw hooks.wrongSignature('The signature was used before.')
  }
}
