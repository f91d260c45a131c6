import { expectEqual, expectThat, failure } from '../../assertions/expect.ts'
import { type HttpResponse, isSuccess, orNull } from '../../client/response.ts'
import { accountText, invalidBodies, rejectAtLimit } from '../../session/account.ts'
import { accountPath } from '../../session/platform.ts'
import {
  accountNamed,
  arrangeAccount,
  expectAccount,
  expectNoSuccess,
  expectSuccess,
  listWithNew,
  requireSuccess,
} from '../../session/platform-expect.ts'
import { rawAccount, rawCreation } from '../../session/platform-raw.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { expectContinued, responseOrClosed, whileStalled } from '../../session/raw-request.ts'
import { checks, creatingOne, disposableOnly, reading } from './scopes.ts'

type Send = () => Promise<HttpResponse | null>

const post = (platform: PlatformSession, body: string | Buffer) => responseOrClosed(platform.createText(body))

/** Sends bytes on a new connection, and closes it. */
const sendRaw = async (platform: PlatformSession, bytes: Buffer) =>
  (await platform.raw({ bytes, responses: 1, endAfter: true })).responses[0] ?? null

/** A closed connection also counts as rejected. */
function expectRejected(response: HttpResponse | null): void {
  if (response !== null) expectNoSuccess(response)
}

async function isEmptyObjectRejected(platform: PlatformSession): Promise<boolean> {
  const response = await orNull(platform.createText('{}'))
  return response === null || !isSuccess(response)
}

/**
 * Each of these requests gets a response or a closed connection, unless the kit closes it, and the server still works
 * after them. They are rejected and add nothing, unless the check allows them.
 */
const survives =
  (requests: (platform: PlatformSession) => readonly Send[], { mayBeAccepted = false } = {}) =>
  async (platform: PlatformSession) => {
    await arrangeAccount(platform)
    await platform.created()
    const before = mayBeAccepted ? null : await listWithNew(platform)
    for (const send of requests(platform)) {
      const response = await send()
      if (!mayBeAccepted) expectRejected(response)
      // Another request gives the server time to process an incomplete one.
      expectAccount(await platform.account())
    }
    if (before !== null)
      expectEqual('trading-account.count-changed', (await platform.list()).accounts.length, before.accounts.length)
    const last = await platform.create(platform.draft())
    rejectAtLimit(last)
    expectSuccess(last)
  }

/** What any server should withstand. */
export const platformRobustnessChecks = [
  ...checks({ ...disposableOnly, tolerates: ['no effect'] }, 'platform.robust.survives', {
    'CP-651 POST /v1/trading-accounts with invalid JSON does not affect later requests': survives((platform) =>
      invalidBodies(platform.draft()).map((body) => () => post(platform, body)),
    ),
    'CP-652 POST /v1/trading-accounts with JSON nested 10,000 levels deep is rejected, and later requests succeed':
      survives((platform) => [() => post(platform, '['.repeat(10_000) + ']'.repeat(10_000))]),
    'CP-655 POST /v1/trading-accounts with invalid UTF-8 does not affect later requests': survives(
      (platform) => {
        const text = accountText(platform.draft()).replace('"name":"', '"name":"\xff\xfe')
        return [() => post(platform, Buffer.from(text, 'latin1'))]
      },
      { mayBeAccepted: true },
    ),
    'CP-656 POST /v1/trading-accounts with a 4 MiB JSON array adds nothing, and later requests succeed': survives(
      (platform) => [() => post(platform, JSON.stringify(['x'.repeat(4 * 1024 * 1024)]))],
    ),
    'CP-657 POST /v1/trading-accounts that ends before its Content-Length adds nothing, and later requests succeed':
      survives((platform) =>
        [true, false].map((isSigned) => () => {
          const text = accountText(platform.draft())
          const framing = `Content-Length: ${Buffer.byteLength(text) + 1}`
          return sendRaw(platform, rawCreation(platform, { signed: isSigned ? text : null, sent: text, framing }))
        }),
      ),
    'CP-658 GET /v1/account with a 64 KiB header gets a response or a closed connection, and later requests succeed':
      survives(
        (platform) => [() => responseOrClosed(platform.account({ headers: { 'X-Long': 'x'.repeat(64 * 1024) } }))],
        { mayBeAccepted: true },
      ),
    'CP-659 GET of an 8,000-character platform path is rejected, and later requests succeed': survives((platform) => [
      () => responseOrClosed(platform.send({ method: 'GET', path: `${accountPath}/${'a'.repeat(8_000)}` })),
    ]),
    'CP-660 Bytes that are not HTTP do not affect later platform requests': survives((platform) =>
      ['\x16\x03\x01\x02\x00\x01\x00\x01', '\r\n\r\nnot http at all\r\n\r\n', 'GET\r\n\r\n'].map(
        (bytes) => () => sendRaw(platform, Buffer.from(bytes, 'latin1')),
      ),
    ),
  }),
  ...checks({ ...reading, tolerates: ['rejection', 'end of connection'] }, 'platform.robust.answers', {
    'CP-661 GET /v1/account gets a response in time while ten other clients stall in the middle of a request': async (
      platform,
    ) => {
      await arrangeAccount(platform)
      const bytes = rawAccount(platform)
      await whileStalled(platform, Array(10).fill(bytes.subarray(0, -2)), async () => {
        const { end } = await platform.raw({ bytes, responses: 1 })
        // A server may limit the connections of one client, but not keep it waiting.
        if (end === 'timeout') throw failure('response.held-up', { reason: 'no response', difference: null })
      })
    },
  }),
  ...checks(creatingOne, 'platform.robust.answers', {
    'CP-662 POST /v1/trading-accounts with 2 MiB of whitespace gets a response or a closed connection in time': async (
      platform,
    ) => {
      await platform.created()
      const body = `${accountText(platform.draft())}${' '.repeat(2 * 1024 * 1024)}`
      await post(platform, body)
    },
  }),
  ...checks(disposableOnly, 'platform.robust.answers', {
    'CP-663 POST /v1/trading-accounts with Expect: 100-continue gets a response in time before its body is sent':
      async (platform) => {
        await arrangeAccount(platform)
        const framing = 'Content-Length: 100\r\nExpect: 100-continue'
        await expectContinued(platform, rawCreation(platform, { signed: null, sent: '', framing }))
      },
  }),
  ...checks(disposableOnly, 'platform.robust.prototype-member', {
    'CP-653 Members such as __proto__ supply no field to the same or a later POST /v1/trading-accounts': async (
      platform,
    ) => {
      await platform.created()
      // A server that accepts an account without any field cannot be judged here.
      if (!(await isEmptyObjectRejected(platform))) return
      const response = await orNull(platform.createText(`{"__proto__":${accountText(platform.draft())}}`))
      expectRejected(response)
      expectThat(await isEmptyObjectRejected(platform), 'request.later-accepted', {})
    },
  }),
  ...checks(disposableOnly, 'platform.robust.overflowing-number', {
    'CP-654 The list of trading accounts is valid JSON after a creation with balance 1e400': async (platform) => {
      const draft = platform.draft()
      await platform.created()
      await orNull(platform.createText(accountText(draft, { balance: 'REPLACED' }).replace('"REPLACED"', '1e400')))
      const response = requireSuccess(await platform.listWith({}))
      expectThat(response.json !== undefined, 'body.not-json', { difference: null, response })
      const listed = accountNamed(await platform.list(), draft.name)
      const value = listed === undefined || !('balance' in listed) ? 0 : listed.balance
      expectThat(typeof value === 'number' && Number.isFinite(value), 'trading-account.not-number', {
        field: 'balance',
        actual: listed,
      })
    },
  }),
]
