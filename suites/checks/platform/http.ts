import { expectEqual, expectExactly, expectThat, received } from '../../assertions/expect.ts'
import { after, NotApplicable } from '../../assertions/failure.ts'
import { type HttpResponse, isSuccess } from '../../client/response.ts'
import { type AccountDraft, accountText, rejectAtLimit } from '../../session/account.ts'
import { isList, listIn } from '../../session/account-list.ts'
import { chunkedForms, heads, inForm, spacedForms } from '../../session/http-forms.ts'
import { accountPath, createPath } from '../../session/platform.ts'
import { arrangeAccount, expectAccount, expectListed, expectSuccess } from '../../session/platform-expect.ts'
import { rawAccount, rawCreation } from '../../session/platform-raw.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import {
  asHttp10,
  chunked,
  demandsLength,
  expectClosed,
  expectNoBody,
  inTwoChunks,
  lastOne,
  responseTo,
  untilClosed,
} from '../../session/raw-request.ts'
import { unknownPath } from './7-errors.ts'
import { checks, creatingOne, disposableOnly, reading } from './scopes.ts'

async function expectCreated(platform: PlatformSession, draft: AccountDraft, sent: HttpResponse | undefined) {
  const response = received(sent)
  rejectAtLimit(response)
  if (response.status === 411) throw new NotApplicable(demandsLength)
  expectSuccess(response)
  await expectListed(platform, draft, response)
}

/** Three requests, sent one after the other or at once, get their own responses. */
const answersThree =
  (join: (requests: readonly Buffer[]) => Buffer | readonly Buffer[]) => async (platform: PlatformSession) => {
    await arrangeAccount(platform)
    const bytes = join([rawAccount(platform), rawAccount(platform, { path: unknownPath }), rawAccount(platform)])
    const result = await platform.raw({ bytes, responses: 3 })
    const successes = result.responses.map(isSuccess)
    expectExactly('responses.successes-wrong', successes, untilClosed(result, [true, false, true]))
  }

function expectComplete(response: HttpResponse, names: readonly unknown[]): void {
  expectThat(isList(response), 'response.not-of-its-request', { difference: null, response })
  const listed = new Set(listIn(response)?.accounts.map(({ name }) => name))
  const missing = names.filter((name) => !listed.has(name))
  expectThat(missing.length === 0, 'trading-account.not-listed', { expected: missing, difference: null, response })
}

/** The body of a request with a wrong key is not taken for the next request. */
async function expectBodyRead(platform: PlatformSession, target: Parameters<typeof rawCreation>[2]): Promise<void> {
  await arrangeAccount(platform)
  const sent = rawAccount(platform, { path: unknownPath }).toString()
  const rejected = rawCreation(platform, { signed: null, sent, key: 'not-the-key' }, target)
  const [, next] = (await platform.raw({ bytes: [rejected, rawAccount(platform)], responses: 2 })).responses
  // The server may close the connection after the first response.
  if (next !== undefined) {
    expectThat(isSuccess(next), 'response.not-of-its-request', { difference: next.status, response: next })
  }
}

/** HTTP (RFC 9110, 9112): connections, chunked bodies, concurrent requests. */
export const platformHttpChecks = [
  ...checks(reading, 'platform.http.keep-alive', {
    'CP-601 Three platform requests on one connection, the second to an unknown path, get independent responses':
      answersThree((requests) => requests),
    'CP-613 Three pipelined platform requests, the second to an unknown path, get their responses in order':
      answersThree((requests) => Buffer.concat(requests)),
  }),
  ...checks(reading, 'platform.http.any-head', {
    'CP-614 GET /v1/account with headers in another case, order or white space, or those of a browser, succeeds':
      async (platform) => {
        await arrangeAccount(platform)
        // A platform may accept each signature only once.
        const request = () => rawAccount(platform)
        const respelled = Object.entries(heads).map(
          ([what, respell]) => [what, Buffer.from(respell(request().toString()))] as const,
        )
        for (const [what, bytes] of [...respelled, ...spacedForms(request, platform)]) {
          const response = await responseTo(platform, bytes)
          await after(`GET with ${what}`, () => expectSuccess(received(response)))
        }
      },
  }),
  ...checks(disposableOnly, 'platform.http.keep-alive', {
    'CP-612 Creations on one connection, with rejected requests in between, get the correct responses and accounts':
      async (platform) => {
        await platform.created()
        const [first, second] = [platform.draft(), platform.draft()]
        const creation = (text: string) => rawCreation(platform, { signed: text, sent: text })
        // A server that leaves the body takes it for the next request.
        const body = rawAccount(platform, { path: unknownPath }).toString()
        const withBody = (method: 'POST' | 'PUT', path: string) =>
          rawCreation(platform, { signed: body, sent: body }, [method, path])
        // Whether the one without `succeeds` is accepted is a question.
        const sent = [
          { bytes: creation(accountText(first)), succeeds: true },
          { bytes: creation('{'), succeeds: false },
          { bytes: creation(accountText(second)), succeeds: true },
          { bytes: creation(accountText(platform.draft(), { leverage: -1, currency: 'Q' })) },
          { bytes: rawAccount(platform, { path: unknownPath }), succeeds: false },
          { bytes: rawAccount(platform), succeeds: true },
          { bytes: withBody('POST', unknownPath), succeeds: false },
          { bytes: rawAccount(platform), succeeds: true },
          { bytes: withBody('PUT', createPath), succeeds: false },
          { bytes: rawAccount(platform), succeeds: true },
        ]
        const result = await platform.raw({ bytes: sent.map(({ bytes }) => bytes), responses: sent.length })
        const { responses } = result
        for (const [at, response] of responses.entries()) if (sent[at]?.succeeds) rejectAtLimit(response)
        const successes = responses.map(isSuccess)
        const expected = sent.map(({ succeeds }, at) => succeeds ?? successes[at] === true)
        expectExactly('responses.successes-wrong', successes, untilClosed(result, expected))
        const [created, , createdNext] = responses
        for (const [draft, response] of [[first, created] as const, [second, createdNext] as const]) {
          await expectListed(platform, draft, response)
        }
      },
  }),
  ...checks({ ...reading, tolerates: ['end of connection'] }, 'platform.http.keep-alive', {
    'CP-605 The body of a GET with a wrong key is not taken for the next request on the connection': (platform) =>
      expectBodyRead(platform, ['GET', accountPath]),
  }),
  ...checks({ ...disposableOnly, tolerates: ['end of connection'] }, 'platform.http.keep-alive', {
    'CP-615 The body of a POST with a wrong key is not taken for the next request on the connection': (platform) =>
      expectBodyRead(platform, ['POST', createPath]),
  }),
  ...checks({ ...reading, tolerates: ['rejection', 'end of connection'] }, 'platform.http.response-end', {
    'CP-606 The response to HEAD of a platform path has no body': async (platform) => {
      for (const path of [accountPath, unknownPath]) {
        await expectNoBody(`HEAD ${path}`, platform, rawAccount(platform, { method: 'HEAD', path }, lastOne))
      }
    },
    'CP-607 The platform closes the connection after the response to a request with Connection: close or HTTP/1.0':
      async (platform) => {
        await expectClosed('GET with HTTP/1.0', platform, asHttp10(rawAccount(platform)))
        for (const path of [accountPath, unknownPath]) {
          await expectClosed(`GET ${path}`, platform, rawAccount(platform, { path }, lastOne))
        }
      },
  }),
  ...checks(creatingOne, 'platform.http.chunked-body', {
    'CP-602 POST /v1/trading-accounts with a chunked body succeeds': async (platform) => {
      await platform.created()
      const draft = platform.draft()
      const text = accountText(draft)
      const framing = 'Transfer-Encoding: chunked'
      const bytes = rawCreation(platform, { signed: text, sent: inTwoChunks(text), framing })
      await expectCreated(platform, draft, await responseTo(platform, bytes))
    },
  }),
  ...checks({ ...disposableOnly, tolerates: ['end of connection'] }, 'platform.http.chunked-body', {
    'CP-611 POST /v1/trading-accounts with any form of chunks, extensions and trailers succeeds': async (platform) => {
      await platform.created()
      for (const [what, form] of Object.entries(chunkedForms)) {
        const draft = platform.draft()
        const text = accountText(draft)
        const { header: framing = chunked[0] } = form
        const creation = rawCreation(platform, { signed: text, sent: inForm(text, form), framing })
        await after(`a POST in chunks ${what}`, async () => {
          const [response, next] = (await platform.raw({ bytes: [creation, rawAccount(platform)], responses: 2 }))
            .responses
          await expectCreated(platform, draft, response)
          // The server may close the connection after the first response.
          if (next !== undefined) expectSuccess(next)
        })
      }
    },
  }),
  ...checks(creatingOne, 'platform.http.split-request', {
    'CP-608 POST /v1/trading-accounts that is split in the method, line end, key, blank line and body succeeds': async (
      platform,
    ) => {
      await platform.created()
      const draft = platform.draft()
      const text = accountText(draft)
      const bytes = rawCreation(platform, { signed: text, sent: text })
      const end = bytes.indexOf('\r\n\r\n')
      const inBody = [60, 40, 20].map((left) => bytes.length - left)
      const splitAt = [2, bytes.indexOf('\r\n') + 1, bytes.indexOf('Bearer') + 10, end + 3, end + 4, ...inBody]
      const [response] = (await platform.raw({ bytes, responses: 1, splitAt })).responses
      await expectCreated(platform, draft, response)
    },
  }),
  ...checks(reading, 'platform.http.parallel-reads', {
    'CP-603 Twenty simultaneous GET /v1/account requests, half with a wrong key, get the correct response': async (
      platform,
    ) => {
      const { id } = await arrangeAccount(platform)
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, i) => platform.account(i % 2 === 0 ? {} : { key: 'not-the-key' })),
      )
      for (const [i, response] of responses.entries()) {
        if (i % 2 === 0) expectEqual('account.changed', expectAccount(response).id, id)
        else expectThat(!isSuccess(response), 'response.shows-account', { difference: response.status, response })
      }
    },
  }),
  ...checks({ ...reading, tolerates: ['rejection'] }, 'platform.http.parallel-reads', {
    'CP-609 Twenty simultaneous GET requests for the account and the list each get the correct response': async (
      platform,
    ) => {
      const { id } = await arrangeAccount(platform)
      const hasList = (await platform.listPath()) !== null
      const namesNow = async () => (hasList ? (await platform.list()).accounts.map(({ name }) => name) : [])
      const before = await namesNow()
      const asksForList = (i: number) => hasList && i % 2 === 1
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (asksForList(i) ? platform.listWith({}) : platform.account())),
      )
      // Another client may have removed or renamed the others.
      const after = new Set(await namesNow())
      const names = before.filter((name) => after.has(name))
      for (const [i, response] of responses.entries()) {
        if (!asksForList(i)) expectEqual('account.changed', expectAccount(response).id, id)
        else expectComplete(response, names)
      }
    },
  }),
  ...checks(disposableOnly, 'platform.robust.parallel-creations', {
    'CP-604 Eight simultaneous creations and reads of the list all succeed, and each account is listed exactly once':
      async (platform) => {
        const { response: sample } = await platform.created()
        const drafts = Array.from({ length: 8 }, () => platform.draft())
        const hasList = (await platform.listPath()) !== null
        const names = hasList ? (await platform.list()).accounts.map(({ name }) => name) : []
        const [responses, reads] = await Promise.all([
          Promise.all(drafts.map((draft) => platform.create(draft))),
          Promise.all(hasList ? drafts.map(() => platform.listWith({})) : []),
        ])
        for (const response of responses) rejectAtLimit(response)
        expectEqual('responses.successes-wrong', responses.map(isSuccess), Array(drafts.length).fill(true))
        for (const read of reads) expectComplete(read, names)
        for (const draft of drafts) await expectListed(platform, draft, sample)
      },
  }),
]
