import { expectEqual, expectThat, failure } from '../../assertions/expect.ts'
import type { HttpResponse } from '../../client/response.ts'
import { accountText, invalidBodies } from '../../session/account-body.ts'
import type { PlatformCheck } from '../../session/check.ts'
import { accountPath, createPath } from '../../session/platform.ts'
import {
  accountNamed,
  expectAccount,
  expectNoSuccess,
  expectServerStillWorks,
  isSuccess,
  sendAnyway,
} from '../../session/platform-expect.ts'
import { rawCreation } from '../../session/platform-raw.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { onlyOwn } from './scopes.ts'

const post = (platform: PlatformSession, body: string | Buffer) =>
  sendAnyway(() => platform.send({ method: 'POST', path: createPath, body }))

function expectRejected(response: HttpResponse | null): void {
  // A closed connection counts as rejected here. The next request shows whether the server still works.
  if (response !== null) expectNoSuccess(response)
}

/** How many accounts there are; null where no list was found. */
async function count(platform: PlatformSession): Promise<number | null> {
  return (await platform.listPath()) === null ? null : (await platform.list()).accounts.length
}

/** Whether an account without any field is rejected. */
async function isEmptyObjectRejected(platform: PlatformSession): Promise<boolean> {
  const response = await post(platform, '{}')
  return response === null || !isSuccess(response)
}

/** What any server should withstand. */
export const platformRobustnessChecks: readonly PlatformCheck[] = [
  {
    id: 'CP-651',
    requirement: 'platform.robust.invalid-json',
    title: 'POST /v1/trading-accounts with invalid JSON does not affect later requests',
    ...onlyOwn,
    async run({ platform }) {
      await expectServerStillWorks(platform, async () => {
        for (const body of invalidBodies(platform.draft())) await post(platform, body)
      })
    },
  },
  {
    id: 'CP-652',
    requirement: 'platform.robust.deep-json',
    title: 'POST /v1/trading-accounts with JSON nested 10,000 levels deep is rejected, and later requests succeed',
    ...onlyOwn,
    async run({ platform }) {
      const depth = 10_000
      for (const body of [
        '['.repeat(depth) + ']'.repeat(depth),
        '{"name":'.repeat(depth) + 1 + '}'.repeat(depth),
        '['.repeat(depth),
      ]) {
        await expectServerStillWorks(platform, async () => expectRejected(await post(platform, body)))
      }
    },
  },
  {
    id: 'CP-653',
    requirement: 'platform.robust.prototype-member',
    title: 'POST /v1/trading-accounts takes no field from __proto__ or constructor, now or in later requests',
    ...onlyOwn,
    async run({ platform }) {
      for (const hide of [
        (fields: object) => `{"__proto__":${JSON.stringify(fields)}}`,
        (fields: object) => `{"constructor":{"prototype":${JSON.stringify(fields)}}}`,
      ]) {
        const draft = platform.draft()
        const name = `${draft.name} hidden`
        const isRejected = await isEmptyObjectRejected(platform)
        await expectServerStillWorks(platform, async () => {
          const response = await post(platform, hide({ ...draft, name }))
          if (isRejected) expectRejected(response)
        })
        expectThat(!isRejected || (await isEmptyObjectRejected(platform)), 'request.later-accepted', {})
        const list = (await platform.listPath()) === null ? null : await platform.list()
        expectThat(list === null || accountNamed(list, name) === undefined, 'trading-account.created-from-prototype', {
          actual: name,
        })
      }
    },
  },
  {
    id: 'CP-654',
    requirement: 'platform.robust.overflowing-number',
    title: 'The list of trading accounts is valid JSON after a creation with balance or leverage 1e400',
    ...onlyOwn,
    async run({ platform }) {
      for (const field of ['balance', 'leverage']) {
        const draft = platform.draft()
        await expectServerStillWorks(platform, () =>
          post(platform, accountText(draft, { [field]: 'REPLACED' }).replace('"REPLACED"', '1e400')),
        )
        const response = await platform.listWith({})
        expectThat(response.json !== undefined, 'body.not-json', { difference: null, response })
        const listed = accountNamed(await platform.list(), draft.name)
        const value = listed === undefined || !(field in listed) ? 0 : listed[field]
        expectThat(typeof value === 'number' && Number.isFinite(value), 'trading-account.not-number', {
          field,
          actual: listed,
        })
      }
    },
  },
  {
    id: 'CP-655',
    requirement: 'platform.robust.invalid-utf-8',
    title: 'POST /v1/trading-accounts with invalid UTF-8 gets a valid UTF-8 response, and later requests succeed',
    ...onlyOwn,
    async run({ platform }) {
      const { name } = platform.draft()
      const text = accountText(platform.draft(), { name: `${name} \u0001\u0002` })
      for (const body of [
        Buffer.from(text.replace('\\u0001', '\xff\xfe'), 'latin1'),
        Buffer.from(text.replace('\\u0001\\u0002', '\xc0\xaf'), 'latin1'),
        Buffer.from(text.replace('\\u0001\\u0002', '\xed\xa0\x80'), 'latin1'),
      ]) {
        await expectServerStillWorks(platform, async () => {
          const response = await post(platform, body)
          if (response !== null) expectUtf8(response)
        })
        if ((await platform.listPath()) !== null) expectUtf8((await platform.list()).response)
      }
    },
  },
  {
    id: 'CP-656',
    requirement: 'platform.robust.large-body',
    title: 'POST /v1/trading-accounts with a 4 MiB JSON array adds nothing, and later requests succeed',
    ...onlyOwn,
    async run({ platform }) {
      await platform.created()
      const before = await count(platform)
      expectRejected(await post(platform, JSON.stringify(['x'.repeat(4 * 1024 * 1024)])))
      expectEqual('trading-account.count-changed', await count(platform), before)
      await expectServerStillWorks(platform, async () => undefined)
    },
  },
  {
    id: 'CP-657',
    requirement: 'platform.robust.broken-off-body',
    title: 'POST /v1/trading-accounts that ends before its Content-Length adds nothing, and later requests succeed',
    ...onlyOwn,
    async run({ platform }) {
      await platform.created()
      for (const [missing, isSigned] of [
        [1, true],
        [1000, true],
        [1, false],
        [1000, false],
      ] as const) {
        const before = await count(platform)
        const text = accountText(platform.draft())
        const framing = `Content-Length: ${Buffer.byteLength(text) + missing}`
        const bytes = rawCreation(platform, { signed: isSigned ? text : null, sent: text, framing })
        const { responses } = await platform.raw({ bytes, responses: 1, endAfter: true })
        const accepted = responses.find(isSuccess)
        if (accepted !== undefined) {
          throw failure('request.incomplete-accepted', { difference: accepted.status, response: accepted })
        }
        // Another request gives the server time to process the incomplete one.
        expectAccount(await platform.account())
        expectEqual('trading-account.count-changed', await count(platform), before)
      }
      await expectServerStillWorks(platform, async () => undefined)
    },
  },
  {
    id: 'CP-658',
    requirement: 'platform.robust.long-header',
    title: 'GET /v1/account with a 64 KiB header does not affect later requests',
    ...onlyOwn,
    run: ({ platform }) =>
      expectServerStillWorks(platform, () =>
        sendAnyway(() => platform.account({ headers: { 'X-Long': 'x'.repeat(64 * 1024) } })),
      ),
  },
  {
    id: 'CP-659',
    requirement: 'platform.robust.long-path',
    title: 'GET of an 8,000-character platform path is rejected, and later requests succeed',
    ...onlyOwn,
    run: ({ platform }) =>
      expectServerStillWorks(platform, async () => {
        const path = `${accountPath}/${'a'.repeat(8_000)}`
        expectRejected(await sendAnyway(() => platform.send({ method: 'GET', path })))
      }),
  },
  {
    id: 'CP-660',
    requirement: 'platform.robust.no-http',
    title: 'Bytes that are not HTTP do not affect later platform requests',
    ...onlyOwn,
    async run({ platform }) {
      for (const bytes of [
        Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01]),
        Buffer.from('\r\n\r\nnot http at all\r\n\r\n'),
        Buffer.from('GET\r\n\r\n'),
      ]) {
        await expectServerStillWorks(platform, () => platform.raw({ bytes, responses: 1, endAfter: true }))
      }
      expectAccount(await platform.account())
    },
  },
]

/** Every byte of the body is UTF-8. */
function expectUtf8(response: HttpResponse): void {
  const { bytes, text, status } = response
  expectThat(Buffer.from(text, 'utf8').equals(bytes), 'body.not-utf-8', { difference: status, response })
}
