import {
  keptOpenAfterErrors,
  overConnectionLimit,
  remembersConnection,
  repeatsLastError,
  sharedBuffer,
  withBodyAfterHead,
} from '../../defect-parts/connections.ts'
import { emptyIfLate, whenBodyIsLate } from '../../defect-parts/late-body.ts'
import { overlapping } from '../../defect-parts/overlapping.ts'
import { reject } from '../../defect-parts/reject.ts'
import { changesResponse, textOf, withStatus, withText } from '../../defect-parts/wire.ts'
import type { PlatformHooks } from '../hooks/hooks.ts'
import { masked, type PlatformDefect, rows } from './defect.ts'
import { withDelayedCreation } from './masks.ts'

/** Long enough for concurrent requests to overlap. */
const writingTakesMs = 20

/** HTTP: connections, chunked bodies, concurrent clients. */
export const httpDefects: readonly PlatformDefect[] = [
  ...rows('platform.http.keep-alive', {
    'platform.http.error-repeated-for-next-request After an error, the next request on the connection gets the same response.':
      repeatsLastError,
    'platform.http.rejected-body-left-on-connection The body of a request with an error stays unread and becomes the beginning of the next request.':
      remembersConnection(({ response }, before) => {
        const isPoisoned = before
          .slice(-1)
          .some(({ request, response: { status } }) => status >= 400 && Number(request.headers['content-length']) > 0)
        return isPoisoned ? { ...response, status: 400 } : response
      }),
  }),
  ...rows('platform.http.split-request', {
    // The signature of an empty body is wrong, and a 403 could also be the limit of accounts.
    'platform.http.late-body-read-as-empty A body that does not arrive together with its headers is read as empty.':
      masked(whenBodyIsLate<PlatformHooks>(emptyIfLate), { 'platform.signing.status': '403' }),
  }),
  ...rows('platform.http.response-end', {
    'platform.http.head-with-body HEAD returns the body of an error response.': changesResponse(
      (status, { method }) => status >= 400 && method === 'HEAD',
      withBodyAfterHead,
    ),
    'platform.http.connection-kept-open The connection stays open after an error response to a request with Connection: close.':
      keptOpenAfterErrors,
  }),
  ...rows('platform.http.chunked-body', {
    'platform.http.chunked-body-returns-400 A body without Content-Length returns 400.': ({ asksForKey }) => ({
      asksForKey: (received) =>
        received.headers['transfer-encoding'] === undefined
          ? asksForKey(received)
          : reject(400, 'The length is missing.'),
    }),
  }),
  ...rows('platform.http.parallel-reads', {
    'platform.http.responses-share-a-buffer With more than four open connections, a request gets the response to another one.':
      sharedBuffer(4),
    'platform.http.connections-above-four-return-503 With more than four open connections, requests return 503.':
      overConnectionLimit(4, withStatus(503)),
    'platform.http.connections-above-four-get-another-account With more than four open connections, the account has the id of another one.':
      overConnectionLimit(4, (response, { method }) => {
        if (method !== 'GET' || response.status !== 200) return response
        const text = textOf(response).replace(/"id":\s*"[^"]*"/, '"id":"acc_another"')
        return withText(response, text, response.headers['Content-Type'])
      }),
  }),
  ...rows('platform.robust.parallel-creations', {
    'platform.robust.update-lost Concurrent creations overwrite each other, so the last one wins.': masked(
      overlapping<PlatformHooks>(writingTakesMs, () => ({ serialise: (_, change) => change() })),
      withDelayedCreation,
    ),
    'platform.robust.concurrent-creation-returns-503 A creation returns 503 while another account is being saved.':
      overlapping(writingTakesMs, ({ serialise }, overlap) => ({
        serialise: (mutex, change) =>
          overlap.saving > 0 ? reject(503, 'An account is being saved.') : serialise(mutex, change),
      })),
    'platform.robust.connections-above-four-return-503-but-create With more than four open connections, a creation returns 503, but is made.':
      overConnectionLimit(4, withStatus(503), 'POST'),
  }),
]
