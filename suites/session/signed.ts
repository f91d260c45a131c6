import { NotApplicable } from '../assertions/failure.ts'
import { type HttpResponse, isSuccess } from '../client/response.ts'
import { arrangeAccount } from './platform-expect.ts'
import type { PlatformSession } from './platform-session.ts'

/** The response to a wrong signature; null if it is accepted, since signatures are ignored. */
export async function wrongSignature(platform: PlatformSession): Promise<HttpResponse | null> {
  await arrangeAccount(platform)
  const response = await platform.wronglySigned()
  return isSuccess(response) ? null : response
}

/** Throws `NotApplicable` unless signatures are checked. */
export async function requireSigning(platform: PlatformSession): Promise<HttpResponse> {
  const errorResponse = await wrongSignature(platform)
  if (errorResponse === null) throw new NotApplicable('signatures are ignored: a wrong one is accepted')
  return errorResponse
}
