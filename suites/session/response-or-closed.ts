import { isTimeout } from '../client/failure-reason.ts'
import { type HttpResponse, NoResponse } from '../client/response.ts'

/**
 * The response; null where the connection was closed instead, which rejects a request too. A response
 * that does not come in time rejects nothing.
 *
 * @throws {NoResponse} if it took too long
 */
export async function responseOrClosed(sent: Promise<HttpResponse>): Promise<HttpResponse | null> {
  try {
    return await sent
  } catch (error) {
    if (error instanceof NoResponse && !isTimeout(error)) return null
    throw error
  }
}
