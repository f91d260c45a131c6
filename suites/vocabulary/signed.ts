import type { Answer } from '../http/answer.ts'
import type { PlatformSession } from '../session/platform-session.ts'
import { NotApplicable } from './failure.ts'
import { arrangeAccount, isSuccess } from './platform-expect.ts'

/** The answer to a signature that nobody can have made; null where it is accepted, as signatures are ignored. */
export async function wrongSignature(platform: PlatformSession): Promise<Answer | null> {
  await arrangeAccount(platform)
  const answer = await platform.wronglySigned()
  return isSuccess(answer) ? null : answer
}

/** Goes on only where signatures are checked; throws `NotApplicable` otherwise. */
export async function requireSigning(platform: PlatformSession): Promise<Answer> {
  const refusal = await wrongSignature(platform)
  if (refusal === null) throw new NotApplicable('signatures are ignored: a wrong one is accepted')
  return refusal
}
