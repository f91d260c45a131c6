import type { HttpResponse } from '../../../client/response.ts'
import type { ObservedAnswer } from '../../../session/check.ts'
import { createPath, type PlatformVariation } from '../../../session/platform.ts'
import { isSuccess } from '../../../session/platform-expect.ts'
import type { PlatformSession } from '../../../session/platform-session.ts'
import { answerFor, look } from '../../plugin/observations/look.ts'

/** The answers by the status; `2xx` and `3xx` stand for all of their kind. */
export function seenAs(response: HttpResponse, answers: Readonly<Record<string, string>>): ObservedAnswer {
  return answerFor(response.status, answers)
}

/**
 * Whether the platform accepts an account with one unusual field. The sample comes first: a platform that
 * rejected it too would say nothing about the field.
 */
export async function lookAtAccount(
  platform: PlatformSession,
  { body, ...variation }: PlatformVariation & { readonly body: string },
  answers: Readonly<Record<string, string>>,
): Promise<ObservedAnswer> {
  await platform.created()
  const seen = await look(() => platform.send({ method: 'POST', path: createPath, body, ...variation }))
  return answerFor(seen, answers)
}

/** GET with a query string, signed with and without it: which of them is right is a question of its own. */
export async function getWithQuery(platform: PlatformSession, path: string, query: string): Promise<HttpResponse> {
  const response = await platform.send({ method: 'GET', path: `${path}?${query}` })
  if (isSuccess(response) || platform.secret === null) return response
  const other = await platform.send({ method: 'GET', path: `${path}?${query}`, sign: { path } })
  return isErrorResponse(response) && !isErrorResponse(other) ? other : response
}

/** Whether a status says that the key or the signature is not good enough. */
export function isErrorResponse({ status }: HttpResponse): boolean {
  return status === 401 || status === 403
}

export const refusedOrAccepted = { '400': '400', '422': '422', '2xx': 'accepted' } as const
