import { expectErrorResponse } from '../assertions/expect.ts'
import { isTimeout } from '../client/failure-reason.ts'
import { type HttpResponse, NoResponse, orNoResponse } from '../client/response.ts'
import { responseTo } from './raw-request.ts'
import type { Session } from './session.ts'

/** Expects that a raw request is rejected, or that the connection ends without a response. */
export async function expectRejectedOrClosed(session: Pick<Session, 'raw'>, bytes: Buffer): Promise<void> {
  const response = await responseTo(session, bytes)
  if (response !== undefined) expectErrorResponse(response)
}

/**
 * The response; null if the connection was closed, which rejects a request too. A timeout does not.
 *
 * @throws {NoResponse} if it took too long
 */
export async function responseOrClosed(sent: Promise<HttpResponse>): Promise<HttpResponse | null> {
  const response = await orNoResponse(sent)
  if (!(response instanceof NoResponse)) return response
  if (isTimeout(response)) throw response
  return null
}
