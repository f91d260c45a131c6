import type { ReceivedRequest } from '../../server/receive.ts'
import type { PlatformService } from '../service.ts'
import type { KeyHolder } from './authenticate.ts'

/** A request with its body, which its signature covers. */
export interface CompleteRequest {
  readonly received: ReceivedRequest
  readonly caller: KeyHolder
  readonly body: Uint8Array
}

/** Verifies the signature, if the request has or needs one (clause 5, public facts). */
export function verify({ received, caller, body }: CompleteRequest, service: PlatformService): void {
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
