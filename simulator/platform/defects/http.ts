import type { IncomingMessage } from 'node:http'
import { combine } from '../../defect-parts/combine.ts'
import {
  type Exchange,
  overConnectionLimit,
  readsBytes,
  remembersConnection,
  repeatsLastError,
  sharedBuffer,
  withBodyAfterHead,
} from '../../defect-parts/connections.ts'
import { after, emptyIfLate, whenBodyIsLate } from '../../defect-parts/events.ts'
import { overlapping } from '../../defect-parts/overlapping.ts'
import { reject, textBecomes, withHeader, withStatus } from '../../defect-parts/wire.ts'
import type { PlatformHooks } from '../hooks/hooks.ts'
import { masked, type PlatformDefect, rows } from './defect.ts'
import { withDelayedCreation, withoutList } from './masks.ts'
import { argument, instead, on, type Right, responds, result } from './overrides.ts'

/** Long enough for concurrent requests to overlap. */
const writingTakesMs = 20

/** A server that misreads a request after an exchange like this on its connection. */
const poisonedBy = (isPoison: (before: Exchange, now: Exchange) => boolean) =>
  remembersConnection((now, before) =>
    before.slice(-1).some((last) => isPoison(last, now)) ? withStatus(400)(now.response) : now.response,
  )

const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)

/** HTTP: connections, chunked bodies, concurrent clients. */
export const httpDefects: readonly PlatformDefect[] = [
  ...rows('platform.http.keep-alive', {
    'platform.http.error-repeated-for-next-request After an error, the next request on the connection gets the same response.':
      repeatsLastError,
    'platform.http.rejected-body-left-on-connection The body of a request with an error stays unread and becomes the beginning of the next request.':
      poisonedBy(({ request, response }) => response.status >= 400 && lengthOf(request) > 0),
    'platform.http.body-of-post-without-key-left-on-connection The body of a POST without a valid key stays unread and becomes the beginning of the next request.':
      // The check sends a request as the body, which is not valid JSON.
      masked({ 'platform.auth.before-body': 'after' })(
        poisonedBy(
          ({ request, response }) =>
            request.method === 'POST' && [401, 403].includes(response.status) && lengthOf(request) > 0,
        ),
      ),
    'platform.http.later-packet-after-404-returns-400 After an unknown path, a request returns 400 unless it arrives together with the one before.':
      masked({ 'platform.errors.unknown-path': '400' })(
        poisonedBy(({ response, bytesRead }, now) => response.status === 404 && bytesRead < now.bytesRead),
      ),
    'platform.http.pipelined-request-returns-400 A request that arrives together with the one before returns 400.':
      remembersConnection(({ response, bytesRead }, before) =>
        before.at(-1)?.bytesRead === bytesRead ? { ...response, status: 400 } : response,
      ),
    'platform.http.creation-after-rejected-one-returns-422 After a rejected creation, the next one on the connection returns 422.':
      remembersConnection(({ request, response }, before) =>
        request.method === 'POST' && before.some((one) => one.request.method === 'POST' && one.response.status >= 400)
          ? { ...response, status: 422 }
          : response,
      ),
    'platform.http.balance-lost-after-invalid-json After a body that is not JSON, accounts get the balance 0.': masked(
      withoutList,
    )(
      after(
        on('parseJson', (text) => text === '{'),
        argument('addAccount', 1)((account) => ({ ...account, balance: 0 })),
      ),
    ),
  }),
  ...rows('platform.http.any-head', {
    'platform.http.value-without-space-rejected A header without a space in front of its value returns 400.':
      readsBytes(/^Authorization:\S/m, withStatus(400)),
    'platform.http.lower-case-headers-rejected Headers in lower case return 400.': () =>
      readsBytes(/^authorization:/m, withStatus(400)),
  }),
  ...rows('platform.http.split-request', {
    // The signature of an empty body is wrong, and a 403 could also be the limit of accounts.
    'platform.http.late-body-read-as-empty A body that does not arrive together with its headers is read as empty.':
      masked({ 'platform.signing.status': '403' })(whenBodyIsLate<PlatformHooks>(emptyIfLate)),
    'platform.http.third-packet-lost A body in more than two packets is cut after the second.': masked({
      'platform.signing.status': '403',
    })(argument('joinBody')((packets) => packets.slice(0, 2))),
    'platform.http.balance-of-late-body-lost A body that does not arrive together with its headers loses its balance.':
      masked(withoutList)(
        whenBodyIsLate<PlatformHooks>(({ readBalance }, isLate) => ({
          readBalance: (value) => (isLate() ? 1 : readBalance(value)),
        })),
      ),
  }),
  ...rows('platform.http.response-end', {
    'platform.http.head-with-body HEAD returns the body of an error response.': () =>
      responds((status, { method }) => status >= 400 && method === 'HEAD', withBodyAfterHead),
    'platform.http.connection-kept-open The connection stays open after an error response to a request with Connection: close.':
      responds((status) => status >= 400, withHeader('Connection', 'keep-alive')),
    'platform.http.1.0-connection-kept-open The connection stays open after a request with HTTP/1.0.': () =>
      responds((_, { httpVersion }) => httpVersion === '1.0', withHeader('Connection', 'keep-alive')),
  }),
  ...rows('platform.http.chunked-body', {
    'platform.http.chunked-account-not-stored A creation with a chunked body returns success, but nothing is stored.':
      masked(withDelayedCreation)(
        result('addAccount')((added, [before], { received }) =>
          received?.headers['transfer-encoding'] === undefined ? added : before,
        ),
      ),
    'platform.http.chunked-account-stored-twice A creation with a chunked body is stored twice.': masked(withoutList)(
      instead('addAccount', ({ addAccount, known }, accounts, account) => {
        const added = addAccount(accounts, account)
        const isChunked = known.received?.headers['transfer-encoding'] !== undefined
        return isChunked ? addAccount(added, { ...account, id: `${account.id}2` }) : added
      }),
    ),
    'platform.http.trailers-left-on-connection The trailers of a chunked body stay unread and become the beginning of the next request.':
      poisonedBy(({ request }) => request.rawTrailers.length > 0),
    'platform.http.chunked-body-returns-400 A body without Content-Length returns 400.': argument('asksForKey')(
      (received) =>
        received.headers['transfer-encoding'] === undefined ? received : reject(400, 'The length is missing.'),
    ),
    'platform.http.chunk-extension-returns-400 A chunk with an extension returns 400.': () =>
      readsBytes(/^[\da-f]+;/im, withStatus(400)),
  }),
  ...rows('platform.http.parallel-reads', {
    'platform.http.responses-share-a-buffer With more than four open connections, a request gets the response to another one.':
      sharedBuffer(4),
    'platform.http.connections-above-four-return-500 With more than four open connections, requests return 500.':
      overConnectionLimit(4, withStatus(500)),
    'platform.http.connections-above-four-get-another-account With more than four open connections, the account has the id of another one.':
      overConnectionLimit(4, (response, { method }) => {
        const isRead = method === 'GET' && response.status === 200
        return isRead
          ? textBecomes((text) => text.replace(/"id":\s*"[^"]*"/, '"id":"acc_another"'))(response)
          : response
      }),
  }),
  ...rows('platform.robust.parallel-creations', {
    'platform.robust.update-lost Concurrent creations overwrite each other, so the last one wins.': masked(
      withDelayedCreation,
    )(overlapping<PlatformHooks>(writingTakesMs, () => ({ serialise: (_, change) => change() }))),
    'platform.robust.concurrent-creation-returns-503 A creation returns 503 while another account is being saved.':
      overlapping(writingTakesMs, ({ serialise }, overlap) => ({
        serialise: (mutex, change) =>
          overlap.saving > 0 ? reject(503, 'An account is being saved.') : serialise(mutex, change),
      })),
    'platform.robust.balance-of-last-creation-stored Concurrent creations get the balance of the one that arrived last.':
      masked(withoutList)(
        combine<Right>([
          overlapping(writingTakesMs, () => ({})),
          argument('addAccount', 1)((account, _, { balance }) => ({ ...account, balance })),
        ]),
      ),
    'platform.robust.list-incomplete-during-creation The list lacks the first account while an account is being saved.':
      masked(withoutList)(
        overlapping(writingTakesMs, ({ listedAccounts }, overlap) => ({
          listedAccounts: (accounts, query) => listedAccounts(accounts.slice(overlap.saving > 0 ? 1 : 0), query),
        })),
      ),
    'platform.robust.list-returns-503-during-creation The list returns 503 while an account is being saved.': masked(
      withoutList,
    )(
      overlapping(writingTakesMs, ({ listedAccounts }, overlap) => ({
        listedAccounts: (accounts, query) =>
          overlap.saving > 0 ? reject(503, 'An account is being saved.') : listedAccounts(accounts, query),
      })),
    ),
    'platform.robust.connections-above-four-return-503-but-create With more than four open connections, a creation returns 503, but is made.':
      overConnectionLimit(4, withStatus(503), 'POST'),
  }),
]
