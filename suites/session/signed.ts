import { NotApplicable } from '../assertions/failure.ts'
import type { HttpResponse } from '../client/response.ts'
import { arrangeAccount, isSuccess } from './platform-expect.ts'
import type { PlatformSession } from './platform-session.ts'

/** The answer to a signature that nobody can have made; null where it is accepted, as signatures are ignored. */
export async function wrongSignature(platform: PlatformSession): Promise<HttpResponse | null> {
  await arrangeAccount(platform)
  const answer = await platform.wronglySigned()
  return isSuccess(answer) ? null : answer
}

/** Goes on only where signatures are checked; throws `NotApplicable` otherwise. */
export async function requireSigning(platform: PlatformSession): Promise<HttpResponse> {
  const refusal = await wrongSignature(platform)
  if (refusal === null) throw new NotApplicable('signatures are ignored: a wrong one is accepted')
  return refusal
}
