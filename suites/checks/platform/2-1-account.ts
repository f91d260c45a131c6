import { expectEqual, expectExactStatus, expectJsonType, expectThat } from '../../assertions/expect.ts'
import { CannotArrange } from '../../assertions/failure.ts'
import type { PlatformCheck } from '../../session/check.ts'
import { arrangeAccount, expectAccount, expectSuccess, identityOf } from '../../session/platform-expect.ts'
import { momentOf } from './moment.ts'
import { reading, sampling } from './scopes.ts'

/** The maximum difference between two clocks. */
const toleranceMs = 5 * 60_000

/** Clause 2.1: the platform account. */
export const accountChecks: readonly PlatformCheck[] = [
  {
    id: 'CP-101',
    requirement: 'platform.account.answered',
    title: 'GET /v1/account succeeds',
    ...reading,
    run: async ({ platform }) => expectSuccess(await platform.account()),
  },
  {
    id: 'CP-102',
    requirement: 'platform.account.status-200',
    title: 'GET /v1/account returns 200',
    ...reading,
    run: async ({ platform }) => expectExactStatus(await platform.account(), 200),
  },
  {
    id: 'CP-103',
    requirement: 'platform.account.data',
    title: 'GET /v1/account returns the account as a JSON object in data',
    ...reading,
    async run({ platform }) {
      expectAccount(await platform.account())
    },
  },
  {
    id: 'CP-104',
    requirement: 'platform.account.id',
    title: 'GET /v1/account returns an id of acct_ followed by digits',
    ...reading,
    async run({ platform }) {
      const { id } = await arrangeAccount(platform)
      const isId = typeof id === 'string' && /^acct_\d+$/.test(id)
      expectThat(isId, 'account.id-malformed', { actual: id })
    },
  },
  ...(['name', 'status'] as const).flatMap((member, position): readonly PlatformCheck[] => [
    {
      id: `CP-${105 + 2 * position}`,
      requirement: `platform.account.${member}`,
      title: `GET /v1/account returns ${member} as a string`,
      ...reading,
      async run({ platform }) {
        const { [member]: value } = await arrangeAccount(platform)
        expectThat(typeof value === 'string', `account.${member}-not-string`, { actual: value })
      },
    },
    {
      id: `CP-${106 + 2 * position}`,
      requirement: `platform.account.${member}-given`,
      title: `GET /v1/account returns a ${member} that is not empty`,
      ...reading,
      async run({ platform }) {
        const { [member]: value } = await arrangeAccount(platform)
        if (typeof value !== 'string') throw new CannotArrange(`\`${member}\` is not a string.`)
        expectThat(value.trim() !== '', `account.${member}-empty`, { actual: value })
      },
    },
  ]),
  {
    id: 'CP-109',
    requirement: 'platform.account.created-at',
    title: 'GET /v1/account returns created_at as an ISO 8601 date and time in UTC',
    ...reading,
    async run({ platform }) {
      const { created_at } = await arrangeAccount(platform)
      expectThat(momentOf(created_at) !== null, 'account.created-at-malformed', { actual: created_at })
    },
  },
  {
    id: 'CP-110',
    requirement: 'platform.account.created-at-real',
    title: 'GET /v1/account returns a created_at that is a valid date and not in the future',
    ...reading,
    async run({ platform }) {
      const { created_at } = await arrangeAccount(platform)
      const moment = momentOf(created_at)
      if (moment === null) throw new CannotArrange('`created_at` is not a date and time in UTC.')
      expectThat(moment.exists, 'account.created-at-not-in-calendar', { actual: created_at })
      expectThat(moment.epochMs <= Date.now() + toleranceMs, 'account.created-at-in-future', {
        expected: new Date().toISOString(),
        actual: created_at,
      })
    },
  },
  {
    id: 'CP-111',
    requirement: 'platform.account.stable',
    title: 'GET /v1/account returns the same id, name and created_at twice',
    ...reading,
    async run({ platform }) {
      const first = identityOf(await arrangeAccount(platform))
      expectEqual('account.changed', identityOf(expectAccount(await platform.account())), first)
    },
  },
  {
    id: 'CP-112',
    requirement: 'platform.account.same-after-creation',
    title: 'GET /v1/account returns the same id, name and created_at before and after a creation',
    ...sampling,
    async run({ platform }) {
      const { accountBefore, accountAfter } = await platform.created()
      const before = identityOf(expectAccount(accountBefore))
      expectEqual('account.changed', identityOf(expectAccount(accountAfter)), before)
    },
  },
  {
    id: 'CP-113',
    requirement: 'platform.json.content-type',
    title: 'GET /v1/account responds with Content-Type application/json',
    ...reading,
    run: async ({ platform }) => expectJsonType(await platform.account()),
  },
]
