import type { PlatformQuestionId } from '../../../../spec/platform/questions.ts'
import { type HttpResponse, isSuccess } from '../../../client/response.ts'
import type { AccountDraft } from '../../../session/account.ts'
import { idAndTitle, type ObservedAnswer, type PlatformObservation } from '../../../session/check.ts'
import { accountPath, createPath, type PlatformOverrides, type PlatformRequest } from '../../../session/platform.ts'
import type { PlatformSession } from '../../../session/platform-session.ts'
import { type AnswersByStatus, answerFor, observeStatus } from '../../plugin/catalogue/observe.ts'
import type { PointOf } from '../../plugin/catalogue/row.ts'

/** A request whose status shows the answer to a question. */
export interface RequestRow {
  /** A request that must succeed first; otherwise the answer would not depend on the request. */
  readonly after?: (platform: PlatformSession) => Promise<unknown>
  readonly send: (platform: PlatformSession) => PlatformRequest
  readonly answers: AnswersByStatus
}

/** `point` is the question without `platform.`; `observe` finds an answer that needs more than one status. */
export type Row = { readonly point: PointOf<'platform', PlatformQuestionId> } & (
  | RequestRow
  | { readonly observe: (platform: PlatformSession) => Promise<ObservedAnswer> }
)

/** Observations with the same risk and needs: the row of each, by its id and title. */
export function observing(
  scope: Pick<PlatformObservation, 'risk' | 'needs' | 'creates'>,
  rows: Readonly<Record<`CPQ-${number} ${string}`, Row>>,
): readonly PlatformObservation[] {
  return Object.entries(rows).map(([name, row]) => {
    const run = 'observe' in row ? row.observe : (platform: PlatformSession) => observeStatusOf(platform, row)
    return { ...idAndTitle(name), question: `platform.${row.point}`, ...scope, run }
  })
}

async function observeStatusOf(platform: PlatformSession, { after, send, answers }: RequestRow) {
  const request = send(platform)
  await after?.(platform)
  const sent = platform.send(request)
  // The connection may close after a creation. A read without a response is a failure.
  const isCreation = request.method === 'POST' && request.path === createPath
  return answerFor(isCreation ? await observeStatus(sent) : (await sent).status, answers)
}

export const getAccount = (overrides: PlatformOverrides = {}) =>
  ({ ...overrides, method: 'GET', path: accountPath }) as const

/** A creation after the sample. If the sample were rejected too, the status would not depend on the unusual part. */
export function creation(
  body: (draft: AccountDraft) => string,
  overrides: PlatformOverrides = {},
): Pick<RequestRow, 'after' | 'send'> {
  return {
    after: (platform) => platform.created(),
    send: ({ draft }) => ({ ...overrides, method: 'POST', path: createPath, body: body(draft()) }),
  }
}

/** GET with a query string, signed with it and without it, since another question asks which is right. */
export async function getWithQuery(platform: PlatformSession, path: string, query: string): Promise<HttpResponse> {
  const response = await platform.send({ method: 'GET', path: `${path}?${query}` })
  if (isSuccess(response) || platform.secret === null) return response
  const other = await platform.send({ method: 'GET', path: `${path}?${query}`, sign: { path } })
  return isUnauthorized(response) && !isUnauthorized(other) ? other : response
}

/** Whether the key or the signature was rejected. */
export const isUnauthorized = ({ status }: HttpResponse): boolean => status === 401 || status === 403
