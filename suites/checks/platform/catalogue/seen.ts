import type { HttpResponse } from '../../../client/response.ts'
import type { ObservedAnswer } from '../../../session/check.ts'
import { createPath, type PlatformVariation } from '../../../session/platform.ts'
import { isSuccess } from '../../../session/platform-expect.ts'
import type { PlatformSession } from '../../../session/platform-session.ts'
import { answerFor, look } from '../../plugin/catalogue/look.ts'

/** The answer for a status; `2xx` and `3xx` stand for all statuses of that class. */
export function seenAs(response: HttpResponse, answers: Readonly<Record<string, string>>): ObservedAnswer {
  return answerFor(response.status, answers)
}

/**
 * Whether the platform accepts an account with one unusual field. The sample comes first: if that were
 * rejected too, the result would not depend on the field.
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

/** GET with a query string. Another question asks whether it is signed, so both signatures are tried. */
export async function getWithQuery(platform: PlatformSession, path: string, query: string): Promise<HttpResponse> {
  const response = await platform.send({ method: 'GET', path: `${path}?${query}` })
  if (isSuccess(response) || platform.secret === null) return response
  const other = await platform.send({ method: 'GET', path: `${path}?${query}`, sign: { path } })
  return isUnauthorized(response) && !isUnauthorized(other) ? other : response
}

/** Whether the key or the signature was rejected. */
export function isUnauthorized({ status }: HttpResponse): boolean {
  return status === 401 || status === 403
}

export const refusedOrAccepted = { '400': '400', '422': '422', '2xx': 'accepted' } as const
