import { reject } from '../../defect-parts/reject.ts'
import { type Members, withMembers } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { PlatformHooks, PlatformOverride } from '../hooks/hooks.ts'
import type { TradingAccount } from '../model/trading-account.ts'
import type { PlatformDefect } from './defect.ts'

type Account = Parameters<PlatformHooks['accountBody']>[0]

/** A server whose account has some members replaced or added. */
function accountWith(members: (account: Account) => Members): PlatformOverride {
  return ({ accountBody }) => ({ accountBody: (account) => withMembers(accountBody(account), members(account)) })
}

/** A server that writes created_at in its own way. */
function spelling(timestamp: (moment: Date) => string): PlatformOverride {
  return accountWith(({ createdAt }) => ({ created_at: timestamp(createdAt) }))
}

/** A server whose account is affected by the trading account that was created last. */
function knowingCreations(
  change: (hooks: PlatformHooks, created: () => TradingAccount | undefined) => Partial<PlatformHooks>,
): PlatformOverride {
  return (hooks) => {
    let last: TradingAccount | undefined
    return {
      addAccount: (accounts, account) => {
        last = account
        return hooks.addAccount(accounts, account)
      },
      ...change(hooks, () => last),
    }
  }
}

/** Clause 2.1: the account of the brokerage. */
export const accountDefects: readonly PlatformDefect[] = [
  {
    id: 'platform.account.content-type-refused-on-get',
    breaks: ['platform.account.answered'],
    summary: 'A GET with a Content-Type is rejected, although the documentation requires the header.',
    override: ({ judgeReadContentType }) => ({
      judgeReadContentType: (type) =>
        type === undefined ? judgeReadContentType(type) : new ErrorResponse(400, 'A GET has no content.'),
    }),
  },
  {
    id: 'platform.account.status-203',
    breaks: ['platform.account.status-200'],
    summary: 'GET of the account returns 203.',
    override: () => ({ accountStatus: 203 }),
  },
  {
    id: 'platform.account.without-wrapper',
    breaks: ['platform.account.data'],
    summary: 'The account is not wrapped in data.',
    override: () => ({ accountEnvelope: (account) => account }),
  },
  {
    id: 'platform.account.list-of-one',
    breaks: ['platform.account.data'],
    summary: 'data is a list that contains the account.',
    override: () => ({ accountEnvelope: (account) => ({ data: [account] }) }),
  },
  {
    id: 'platform.account.wrapper-lost-after-creation',
    breaks: ['platform.account.same-after-creation'],
    summary: 'After a trading account was created, the account is no longer wrapped in data.',
    override: knowingCreations(({ accountEnvelope }, created) => ({
      accountEnvelope: (account) => (created() ? account : accountEnvelope(account)),
    })),
  },
  {
    id: 'platform.account.id-in-upper-case',
    breaks: ['platform.account.id'],
    summary: 'The prefix of id is ACCT_.',
    override: accountWith(({ id }) => ({ id: id.toUpperCase() })),
  },
  {
    id: 'platform.account.id-hexadecimal',
    breaks: ['platform.account.id'],
    summary: 'The number in id is hexadecimal.',
    override: accountWith(({ id }) => ({ id: `acct_${(Number(id.slice(5)) + 10).toString(16)}` })),
  },
  {
    id: 'platform.account.id-with-letter-every-second-time',
    breaks: ['platform.account.stable'],
    summary: 'Every second response has a different id for the account.',
    override: ({ accountBody }) => {
      let count = 0
      return {
        accountBody: (account) =>
          count++ % 2 === 0 ? accountBody(account) : withMembers(accountBody(account), { id: `${account.id}b` }),
      }
    },
  },
  {
    id: 'platform.account.name-null',
    breaks: ['platform.account.name'],
    summary: 'name is null if it was not set.',
    override: accountWith(() => ({ name: null })),
  },
  {
    id: 'platform.account.name-blank',
    breaks: ['platform.account.name-given'],
    summary: 'name is an empty string.',
    override: accountWith(() => ({ name: '' })),
  },
  {
    id: 'platform.account.status-boolean',
    breaks: ['platform.account.status'],
    summary: 'status is true instead of active.',
    override: accountWith(() => ({ status: true })),
  },
  {
    id: 'platform.account.status-blank',
    breaks: ['platform.account.status-given'],
    summary: 'status is an empty string.',
    override: accountWith(() => ({ status: '' })),
  },
  {
    id: 'platform.account.created-at-without-zone',
    breaks: ['platform.account.created-at'],
    summary: 'created_at is a local time without a zone.',
    override: spelling((moment) => moment.toISOString().slice(0, 19)),
  },
  {
    id: 'platform.account.created-at-in-local-time',
    breaks: ['platform.account.created-at'],
    summary: 'created_at is a local time with its offset.',
    override: spelling((moment) => `${new Date(moment.getTime() + 7_200_000).toISOString().slice(0, 19)}+02:00`),
  },
  {
    id: 'platform.account.created-at-with-space',
    breaks: ['platform.account.created-at'],
    summary: 'created_at has a space instead of the T.',
    override: spelling((moment) => `${moment.toISOString().slice(0, 19).replace('T', ' ')}Z`),
  },
  {
    id: 'platform.account.created-at-no-day',
    breaks: ['platform.account.created-at-real'],
    summary: 'Day and month in created_at are swapped, which gives a thirteenth month.',
    override: spelling(() => '2025-13-04T09:30:15Z'),
  },
  {
    id: 'platform.account.created-at-in-the-future',
    breaks: ['platform.account.created-at-real'],
    summary: 'The two-digit year in created_at is read as one of the next century.',
    override: spelling((moment) => moment.toISOString().replace(/^20(\d\d)(.*)\.\d+Z$/, '21$1$2Z')),
  },
  {
    id: 'platform.account.created-at-of-the-request',
    breaks: ['platform.account.stable'],
    summary: 'created_at is the time of the request.',
    override: ({ accountBody, timestamp }) => {
      let count = 0
      return {
        accountBody: (account) => {
          const moment = new Date(account.createdAt.getTime() + 1000 * count++)
          return withMembers(accountBody(account), { created_at: timestamp(moment) })
        },
      }
    },
  },
  {
    id: 'platform.account.takes-name-of-new-account',
    breaks: ['platform.account.same-after-creation'],
    summary: 'The account gets the name of the last created trading account.',
    override: knowingCreations(({ accountBody }, created) => ({
      accountBody: (account) => accountBody({ ...account, name: created()?.name ?? account.name }),
    })),
  },
  {
    id: 'platform.account.gone-after-creation',
    breaks: ['platform.account.same-after-creation'],
    summary: 'After a creation, GET of the account returns 500.',
    override: knowingCreations(({ accountBody }, created) => ({
      accountBody: (account) => (created() ? reject(500, 'Internal server error.') : accountBody(account)),
    })),
  },
]
