import { setTimeout as pause } from 'node:timers/promises'
import { shapeOf } from '../../assertions/difference.ts'
import { expectEqual, expectExactStatus, expectJsonType, expectThat } from '../../assertions/expect.ts'
import { CannotArrange } from '../../assertions/failure.ts'
import {
  arrangeAccount,
  expectAccount,
  expectSuccess,
  identityOf,
  ofAccount,
  requireSuccess,
} from '../../session/platform-expect.ts'
import { momentOf } from './moment.ts'
import { checks, reading, sampling } from './scopes.ts'

/** The maximum difference between two clocks. */
const toleranceMs = 5 * 60_000

/** A string with 0 for each number in it. */
const formOf = (value: unknown) => (typeof value === 'string' ? value.replaceAll(/\d+/g, '0') : shapeOf(value))

type Member = 'name' | 'status'

const isText = (member: Member) =>
  ofAccount(({ [member]: value }) =>
    expectThat(typeof value === 'string', `account.${member}-not-string`, { actual: value }),
  )

const isGiven = (member: Member) =>
  ofAccount(({ [member]: value }) => {
    if (typeof value !== 'string') throw new CannotArrange(`\`${member}\` is not a string.`)
    expectThat(value.trim() !== '', `account.${member}-empty`, { actual: value })
  })

/** Clause 2.1: the platform account. */
export const accountChecks = [
  ...checks(reading, 'platform.account.answered', {
    'CP-101 GET /v1/account succeeds': async (platform) => expectSuccess(await platform.account()),
  }),
  ...checks(reading, 'platform.account.status-200', {
    'CP-102 GET /v1/account returns 200': async (platform) => expectExactStatus(await platform.account(), 200),
  }),
  ...checks(reading, 'platform.account.data', {
    'CP-103 GET /v1/account returns the account as a JSON object in data': async (platform) => {
      expectAccount(await platform.account())
    },
  }),
  ...checks(reading, 'platform.account.id', {
    'CP-104 GET /v1/account returns an id of acct_ followed by digits': ofAccount(({ id }) => {
      const isId = typeof id === 'string' && /^acct_\d+$/.test(id)
      expectThat(isId, 'account.id-malformed', { actual: id, difference: formOf(id) })
    }),
  }),
  ...checks(reading, 'platform.account.name', { 'CP-105 GET /v1/account returns name as a string': isText('name') }),
  ...checks(reading, 'platform.account.name-given', {
    'CP-106 GET /v1/account returns a name that is not empty': isGiven('name'),
  }),
  ...checks(reading, 'platform.account.status', {
    'CP-107 GET /v1/account returns status as a string': isText('status'),
  }),
  ...checks(reading, 'platform.account.status-given', {
    'CP-108 GET /v1/account returns a status that is not empty': isGiven('status'),
  }),
  ...checks(reading, 'platform.account.created-at', {
    'CP-109 GET /v1/account returns created_at as an ISO 8601 date and time in UTC': ofAccount(({ created_at }) =>
      expectThat(momentOf(created_at) !== null, 'account.created-at-malformed', {
        actual: created_at,
        difference: formOf(created_at),
      }),
    ),
  }),
  ...checks(reading, 'platform.account.created-at-real', {
    'CP-110 GET /v1/account returns a created_at that is a valid date, not before 1970 and not in the future':
      ofAccount(({ created_at }) => {
        const moment = momentOf(created_at)
        if (moment === null) throw new CannotArrange('`created_at` is not a date and time in UTC.')
        expectThat(moment.exists, 'account.created-at-not-in-calendar', { actual: created_at })
        // The year 1 or 1900 stands for a date that was not filled in.
        expectThat(moment.epochMs >= 0, 'account.created-at-before-1970', { actual: created_at, difference: null })
        expectThat(moment.epochMs <= Date.now() + toleranceMs, 'account.created-at-in-future', {
          expected: new Date().toISOString(),
          actual: created_at,
        })
      }),
  }),
  ...checks(reading, 'platform.account.stable', {
    'CP-111 GET /v1/account returns the same id, name and created_at twice': async (platform) => {
      const account = await arrangeAccount(platform)
      const first = identityOf(account)
      // The time of each response is the same within one second.
      const createdAt = momentOf(account.created_at)
      if (createdAt !== null && Math.abs(createdAt.epochMs - Date.now()) < toleranceMs) await pause(1_100)
      expectEqual('account.changed', identityOf(expectAccount(await platform.account())), first)
    },
  }),
  ...checks(sampling, 'platform.account.same-after-creation', {
    'CP-112 GET /v1/account returns the same id, name, created_at and type of status before and after a creation':
      async (platform) => {
        const { accountBefore, accountAfter } = await platform.created()
        const before = identityOf(expectAccount(accountBefore))
        const after = expectAccount(accountAfter)
        expectEqual('account.changed', identityOf(after), before)
        expectEqual('account.changed', typeof after.status, typeof expectAccount(accountBefore).status)
      },
  }),
  ...checks(reading, 'platform.json.content-type', {
    'CP-113 GET /v1/account responds with Content-Type application/json': async (platform) =>
      expectJsonType(requireSuccess(await platform.account())),
  }),
  // Without a list only the account is judged.
  ...checks({ ...reading, tolerates: ['rejection'] }, 'platform.json.no-byte-order-mark', {
    'CP-114 GET of the account and of the list of trading accounts returns JSON without a byte order mark': async (
      platform,
    ) => {
      const lists = (await platform.listPath()) === null ? [] : [await platform.listWith({})]
      for (const response of [await platform.account(), ...lists]) {
        const isMarked = requireSuccess(response).bytes.subarray(0, 3).equals(Buffer.from('\ufeff'))
        expectThat(!isMarked, 'body.byte-order-mark', { difference: null, response })
      }
    },
  }),
]
