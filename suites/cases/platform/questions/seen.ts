import type { Answer as Answered } from '../../../engine/check.ts'
import type { Answer } from '../../../http/answer.ts'
import { createPath, type PlatformVariation } from '../../../session/platform.ts'
import type { PlatformSession } from '../../../session/platform-session.ts'
import { isSuccess } from '../../../vocabulary/platform-expect.ts'
import { answerFor, look } from '../../questions/look.ts'

/** The answers by the status; `2xx` and `3xx` stand for all of their kind. */
export function seenAs(answer: Answer, answers: Readonly<Record<string, string>>): Answered {
  return answerFor(answer.status, answers)
}

/**
 * Whether the platform takes an account with one odd point. The sample comes first: a platform that
 * refused that one too would say nothing about the point.
 */
export async function lookAtAccount(
  platform: PlatformSession,
  { body, ...variation }: PlatformVariation & { readonly body: string },
  answers: Readonly<Record<string, string>>,
): Promise<Answered> {
  await platform.created()
  const seen = await look(() => platform.send({ method: 'POST', path: createPath, body, ...variation }))
  return answerFor(seen, answers)
}

/** GET with a query string, signed with and without it: which of them is right is a question of its own. */
export async function getWithQuery(platform: PlatformSession, path: string, query: string): Promise<Answer> {
  const answer = await platform.send({ method: 'GET', path: `${path}?${query}` })
  if (isSuccess(answer) || platform.secret === null) return answer
  const other = await platform.send({ method: 'GET', path: `${path}?${query}`, sign: { path } })
  return isRefusal(answer) && !isRefusal(other) ? other : answer
}

/** Whether a status says that the key or the signature is not good enough. */
export function isRefusal({ status }: Answer): boolean {
  return status === 401 || status === 403
}

export const refusedOrAccepted = { '400': '400', '422': '422', '2xx': 'accepted' } as const
