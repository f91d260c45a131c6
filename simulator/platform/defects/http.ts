import type { IncomingMessage } from 'node:http'
import type { Server, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isLosslessNumber } from 'lossless-json'
import { combine } from '../../defect-parts/combine.ts'
import {
  keptOpenAfterErrors,
  overConnectionLimit,
  remembersConnection,
  repeatsLastError,
  serverOf,
  sharedBuffer,
  withBodyAfterHead,
} from '../../defect-parts/connections.ts'
import { after, catching, losing } from '../../defect-parts/events.ts'
import { holdResponse, neverAnswered } from '../../defect-parts/hold-response.ts'
import { correctsBody, overflowsStack, ownMember } from '../../defect-parts/json-body.ts'
import { emptyIfLate, whenBodyIsLate } from '../../defect-parts/late-body.ts'
import { overlapping } from '../../defect-parts/overlapping.ts'
import { changesResponse, reject, textOf, withStatus, withText } from '../../defect-parts/wire.ts'
import type { Members } from '../../server/json.ts'
import type { PlatformHooks, PlatformOverride } from '../hooks/hooks.ts'
import { masked, maskedRows, type PlatformDefect, rows } from './defect.ts'
import { withDelayedCreation, withoutList, withStrictMembers } from './masks.ts'
import { listing, on } from './overrides.ts'

/** Long enough for concurrent requests to overlap. */
const writingTakesMs = 20

const deepNesting = /[[{]{1000}|(?:\{"[^"]*":){1000}/

/** A server that stores a balance beyond the range of a double as Infinity. */
const overflowing: PlatformOverride = ({ readBalance }) => ({
  readBalance: (value) =>
    isLosslessNumber(value) && Number(value.value) === Number.POSITIVE_INFINITY
      ? Number.POSITIVE_INFINITY
      : readBalance(value),
})

/** A server with eight workers, each of which waits for the rest of the request that it reads. */
const blockedByIncompleteRequests: PlatformOverride = ({ finish }) => {
  const incomplete = new Set<object>()
  let server: Server | undefined
  const track = (request: IncomingMessage) => {
    server = serverOf(request)
    server.on('connection', (opened: Socket) => {
      incomplete.add(opened)
      opened.once('close', () => incomplete.delete(opened))
    })
    server.on('request', ({ socket }: IncomingMessage) => incomplete.delete(socket))
  }
  const freeWorker = async () => {
    while (incomplete.size >= 8) await pause(20, undefined, { ref: false })
  }
  return {
    finish: (response, request) => {
      if (server === undefined) track(request)
      if (incomplete.size >= 8) holdResponse(request, freeWorker())
      return finish(response, request)
    },
  }
}

const tooBig = '__TOO_BIG__'

/** The account that a server creates from default values. */
const defaultAccount = '{"name":"Unnamed","group":"demo","leverage":100,"currency":"USD","balance":1000}'

/** HTTP: connections, chunked bodies, concurrent clients. And what any server should withstand. */
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
  ...rows('platform.robust.survives', {
    'platform.robust.crashes-on-invalid-json Invalid JSON crashes the server.': losing(({ parseJson }, die) => ({
      parseJson: catching(parseJson, (error) => {
        die()
        throw error
      }),
    })),
    'platform.robust.crashes-on-tls The first bytes of a TLS connection crash the server.': losing(
      on('unparsable', (_, code) => code === 'HPE_INVALID_METHOD'),
    ),
    'platform.robust.account-lost-after-truncated-body After a body that ends too early, GET /v1/account returns 500.':
      after(
        on('parseJson', (text) => text.startsWith('{') && !text.endsWith('}')),
        ({ accountBody }, isLost) => ({
          accountBody: (account) => (isLost() ? reject(500, 'The account is missing.') : accountBody(account)),
        }),
      ),
    'platform.robust.parser-keeps-rest-of-body The rest of an invalid body is prepended to the next body.': (hooks) => {
      let rest = ''
      return {
        parseJson: (text) => {
          const whole = rest + text
          rest = text.slice(0, 1)
          const value = hooks.parseJson(whole)
          rest = ''
          return value
        },
      }
    },
    'platform.robust.crashes-on-deep-json Deeply nested JSON overflows the stack and crashes the server.':
      losing<PlatformHooks>(overflowsStack((text) => deepNesting.test(text.replace(/\s/g, '')))),
    'platform.robust.invalid-utf8-breaks-decoder After a body that is not UTF-8 no body can be decoded.': after(
      on('decodeText', (bytes) => Buffer.from(bytes).toString('utf8').includes('\uFFFD')),
      ({ decodeText }, isStuck) => ({ decodeText: (bytes) => decodeText(isStuck() ? new Uint8Array([0xff]) : bytes) }),
    ),
    'platform.robust.crashes-on-large-body A body of several MiB uses the memory that later requests need.': losing(
      (hooks, die) => ({
        ...on('asksForKey', ({ headers }) => Number(headers['content-length']) > 3_000_000)(hooks, die),
        ...on('oversized')(hooks, die),
      }),
    ),
    'platform.robust.end-of-large-body-replaced Members at the end of a large body are replaced by default values.':
      combine<PlatformHooks>([
        () => ({ bodyLimitBytes: Number.POSITIVE_INFINITY }),
        correctsBody((text) => (text.length > 3_000_000 ? defaultAccount : text)),
      ]),
    'platform.robust.crashes-on-truncated-body A connection that closes within a body crashes the server.': losing(
      on('partialBody'),
    ),
    'platform.robust.truncated-body-creates-default-account A truncated body creates an account with default values.':
      masked(
        () => ({ partialBody: () => Buffer.from(defaultAccount) }),
        [...withoutList, { answers: { 'platform.signing.check': 'required' } }],
      ),
    'platform.robust.crashes-on-long-header Header fields that are too large crash the server.': losing(
      on('unparsable', (problem) => problem === 'headers-too-large'),
    ),
    'platform.robust.crashes-on-long-path A path of thousands of characters crashes the server.': losing(
      on('splitTarget', (target) => target.length > 4000),
    ),
    'platform.robust.long-path-cut Only the first eleven characters of a long path are compared.': (hooks) => ({
      splitTarget: (target) => hooks.splitTarget(target.length > 4000 ? target.slice(0, 11) : target),
    }),
  }),
  ...rows('platform.robust.answers', {
    'platform.robust.incomplete-requests-block-all Each of eight workers waits for the rest of an incomplete request, and without a free one all clients wait.':
      blockedByIncompleteRequests,
    'platform.robust.large-body-hangs A body of more than 1 MiB is never answered.': masked(
      changesResponse((_, { headers }) => Number(headers['content-length']) > 2 ** 20, neverAnswered),
      [{ answers: { 'platform.create.size-limit': 'closed' } }],
    ),
  }),
  ...maskedRows(withStrictMembers, 'platform.robust.prototype-member', {
    'platform.robust.missing-fields-from-prototype Missing fields are read from the member __proto__.': (hooks) => ({
      fieldOf: (members, field) => {
        const prototype = ownMember(members, '__proto__') as Members | undefined
        return hooks.fieldOf(members, field) ?? (Object(prototype) === prototype ? prototype?.[field] : undefined)
      },
    }),
    'platform.robust.prototype-polluted The members of __proto__ become members of every later body.': (hooks) => {
      const polluted = new Map<string, unknown>()
      return {
        fieldOf: (members, field) => {
          const value = polluted.get(field) ?? hooks.fieldOf(members, field)
          for (const [name, of] of Object.entries(Object(ownMember(members, '__proto__')))) polluted.set(name, of)
          return value
        },
      }
    },
  }),
  ...maskedRows(withoutList, 'platform.robust.overflowing-number', {
    'platform.robust.infinite-balance A balance beyond the range of a double is stored and listed as Infinity.':
      combine([
        overflowing,
        ({ listedBody, encodeJson }) => ({
          listedBody: (account) =>
            listedBody(Number.isFinite(account.balance) ? account : { ...account, name: `${account.name}${tooBig}` }),
          encodeJson: (value) => {
            const text = Buffer.from(encodeJson(value)).toString()
            return Buffer.from(
              text.includes(tooBig) ? text.replaceAll(tooBig, '').replaceAll('null', 'Infinity') : text,
            )
          },
        }),
      ]),
    'platform.robust.overflow-listed-as-null A balance beyond the range of a double is stored as Infinity and listed as null.':
      combine([overflowing, listing(({ balance }) => (Number.isFinite(balance) ? {} : { balance: null }))]),
  }),
]
