import { expectEqual, expectExactly, failure } from '../../assertions/expect.ts'
import { isSuccess } from '../../client/response.ts'
import { accountText } from '../../session/account.ts'
import type { PlatformCheck } from '../../session/check.ts'
import { arrangeAccount, expectAccount, expectSuccess, rejectDelayed } from '../../session/platform-expect.ts'
import { rawAccount, rawCreation } from '../../session/platform-raw.ts'
import { inTwoChunks, untilClosed } from '../../session/raw-request.ts'
import { unknownPath } from './7-errors.ts'
import { checks, judgingResponses, ownPlatformOnly, reading } from './scopes.ts'

/** HTTP (RFC 9110, 9112): connections, chunked bodies, concurrent requests. */
export const platformHttpChecks: readonly PlatformCheck[] = [
  ...checks(reading, 'platform.http.keep-alive', {
    'CP-601 Three platform requests on one connection, the second to an unknown path, get independent responses':
      async (platform) => {
        await arrangeAccount(platform)
        const bytes = [rawAccount(platform), rawAccount(platform, unknownPath), rawAccount(platform)]
        const result = await platform.raw({ bytes, responses: bytes.length })
        const successes = result.responses.map(isSuccess)
        expectExactly('responses.successes-wrong', successes, untilClosed(result, [true, false, true]))
      },
  }),
  ...checks({ ...ownPlatformOnly, ...judgingResponses }, 'platform.http.chunked-body', {
    'CP-602 POST /v1/trading-accounts with a chunked body succeeds': async (platform) => {
      await platform.created()
      const text = accountText(platform.draft())
      const framing = 'Transfer-Encoding: chunked'
      const bytes = rawCreation(platform, { signed: text, sent: inTwoChunks(text), framing })
      const { responses } = await platform.raw({ bytes, responses: 1 })
      const [response] = responses
      if (response === undefined) throw failure('response.missing', { reason: 'no response', difference: null })
      expectSuccess(response)
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
      }
    },
  }),
  ...checks(ownPlatformOnly, 'platform.robust.parallel-creations', {
    'CP-604 Eight simultaneous creations all succeed, and each account is listed exactly once': async (platform) => {
      const { response: sample } = await platform.created()
      const drafts = Array.from({ length: 8 }, () => platform.draft())
      const responses = await Promise.all(drafts.map((draft) => platform.create(draft)))
      expectEqual('responses.successes-wrong', responses.map(isSuccess), Array(drafts.length).fill(true))
      if ((await platform.listPath()) === null) return
      const { accounts } = await platform.list()
      for (const { name } of drafts) {
        const times = accounts.filter((account) => account.name === name).length
        if (times === 0) rejectDelayed(sample)
        expectEqual('trading-account.listed-times-wrong', times, 1)
      }
    },
  }),
]
