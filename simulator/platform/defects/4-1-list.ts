import {
  changesResponse,
  type Members,
  textOf,
  withContentType,
  withMembers,
  withText,
} from '../../defect-parts/wire.ts'
import type { PlatformOverride } from '../hooks/hooks.ts'
import type { TradingAccount } from '../model/trading-account.ts'
import { maskedByDefault } from './defect.ts'
import { withFewFields, withoutList, withoutTimelyList } from './masks.ts'

/** A server that stores something else than was sent. */
function keeping(
  change: (account: TradingAccount, before: readonly TradingAccount[]) => Partial<TradingAccount>,
): PlatformOverride {
  return ({ addAccount }) => ({
    addAccount: (accounts, account) => addAccount(accounts, { ...account, ...change(account, accounts) }),
  })
}

/** A server that lists each account with some members replaced or added. */
function listing(members: (account: TradingAccount) => Members): PlatformOverride {
  return ({ listedBody }) => ({ listedBody: (account) => withMembers(listedBody(account), members(account)) })
}

const paths = /\/(trading-)?accounts/i

/** Clauses 2.2 and 4.1: what the list shows of the accounts that were created. */
export const listDefects = maskedByDefault(withoutList, [
  {
    id: 'platform.list.loses-the-last',
    breaks: ['platform.list.shows-created'],
    maskedBy: withoutTimelyList,
    summary: 'The list lacks the account that was created last.',
    override: ({ listedAccounts }) => ({
      listedAccounts: (accounts, query) => listedAccounts(accounts.slice(0, -1), query),
    }),
  },
  {
    id: 'platform.create.acknowledged-but-not-stored',
    breaks: ['platform.list.shows-created'],
    maskedBy: withoutTimelyList,
    summary: 'A creation returns success, but nothing is stored.',
    override: () => ({ addAccount: (accounts) => accounts }),
  },
  {
    id: 'platform.list.from-a-cache',
    breaks: ['platform.list.shows-created'],
    maskedBy: withoutTimelyList,
    summary: 'The list is cached after the first request and never updated.',
    override: ({ listedAccounts }) => {
      let kept: readonly TradingAccount[] | undefined
      return {
        listedAccounts: (accounts, query) => {
          kept ??= accounts
          return listedAccounts(kept, query)
        },
      }
    },
  },
  {
    id: 'platform.create.stored-twice',
    breaks: ['platform.list.shows-once'],
    summary: 'A new account is stored twice.',
    override: ({ addAccount }) => ({
      addAccount: (accounts, account) =>
        addAccount(addAccount(accounts, account), { ...account, id: `${account.id}2` }),
    }),
  },
  {
    id: 'platform.create.name-in-lower-case',
    breaks: ['platform.list.as-sent'],
    summary: 'Names are stored in lower case.',
    override: keeping(({ name }) => ({ name: name.toLowerCase() })),
  },
  {
    id: 'platform.create.name-of-the-one-before',
    breaks: ['platform.list.as-sent'],
    summary: 'From the second account on, each gets the name of the previous one.',
    override: ({ addAccount }) => {
      let last: string | undefined
      return {
        addAccount: (accounts, account) => {
          const name = last ?? account.name
          last = account.name
          return addAccount(accounts, { ...account, name })
        },
      }
    },
  },
  {
    id: 'platform.create.name-read-as-latin-1',
    breaks: ['platform.list.as-sent'],
    summary: 'Names are decoded as Latin-1.',
    override: () => ({ decodeText: (bytes) => Buffer.from(bytes).toString('latin1') }),
  },
  {
    id: 'platform.create.name-escaped-for-html',
    breaks: ['platform.list.as-sent'],
    summary: 'Quotes in a name are stored as &quot;.',
    override: keeping(({ name }) => ({ name: name.replaceAll('"', '&quot;') })),
  },
  {
    id: 'platform.list.balance-as-text',
    breaks: ['platform.list.as-sent'],
    summary: 'The list shows the balance as a string.',
    override: listing(({ balance }) => ({ balance: `${balance}` })),
  },
  {
    id: 'platform.create.balance-in-cents',
    breaks: ['platform.list.as-sent'],
    summary: 'The balance is stored and shown in cents.',
    override: keeping(({ balance }) => ({ balance: Math.round(balance * 100) })),
  },
  {
    id: 'platform.create.balance-as-float',
    breaks: ['platform.list.as-sent'],
    summary: 'The balance is stored as a 32-bit float.',
    override: keeping(({ balance }) => ({ balance: Math.fround(balance) })),
  },
  {
    id: 'platform.create.currency-cut',
    breaks: ['platform.list.as-sent'],
    summary: 'Only the first two letters of the currency are stored.',
    override: keeping(({ currency }) => ({ currency: currency.slice(0, 2) })),
  },
  {
    id: 'platform.create.currency-of-the-first',
    breaks: ['platform.list.as-sent'],
    summary: 'All accounts get the currency of the first one.',
    override: keeping(({ currency }, before) => ({ currency: before[0]?.currency ?? currency })),
  },
  {
    id: 'platform.list.leverage-as-text',
    breaks: ['platform.list.as-sent'],
    maskedBy: withFewFields,
    summary: 'The list shows the leverage as a string.',
    override: ({ listedBody }) => ({
      listedBody: (account) => {
        const body = listedBody(account)
        return 'leverage' in (body as object) ? withMembers(body, { leverage: `1:${account.leverage}` }) : body
      },
    }),
  },
  {
    id: 'platform.create.leverage-in-one-byte',
    breaks: ['platform.list.as-sent'],
    maskedBy: withFewFields,
    summary: 'The leverage is stored in eight bits.',
    override: keeping(({ leverage }) => ({ leverage: leverage % 256 })),
  },
  {
    id: 'platform.create.takes-the-place-of-the-last',
    breaks: ['platform.list.keeps-others'],
    summary: 'A new account replaces the previous one.',
    override: ({ addAccount }) => ({
      addAccount: (accounts, account) => addAccount(accounts.slice(0, -1), account),
    }),
  },
  {
    id: 'platform.create.balance-given-to-all',
    breaks: ['platform.list.keeps-others'],
    summary: 'The balance of a new account is set on the earlier accounts as well.',
    override: ({ addAccount }) => ({
      addAccount: (accounts, account) =>
        addAccount(
          accounts.map((earlier) => ({ ...earlier, balance: account.balance })),
          account,
        ),
    }),
  },
  {
    id: 'platform.list.labelled-as-html',
    breaks: ['platform.list.json-content-type'],
    summary: 'The list has Content-Type text/html.',
    override: changesResponse(
      (status, { method, url = '' }) => method === 'GET' && paths.test(url) && status === 200,
      (response) => withContentType(response, 'text/html'),
    ),
  },
  {
    id: 'platform.list.open',
    breaks: ['platform.list.needs-key'],
    summary: 'The list requires no key.',
    override: () => ({ asksForKey: ({ method, path }) => !(method === 'GET' && paths.test(path)) }),
  },
  {
    id: 'platform.list.any-key',
    breaks: ['platform.list.needs-key'],
    summary: 'The list requires a key, but accepts any.',
    override: ({ asksForKey }) => ({
      asksForKey: (received) =>
        received.headers.authorization === undefined || received.method !== 'GET' || !paths.test(received.path)
          ? asksForKey(received)
          : false,
    }),
  },
  {
    id: 'platform.list.empty-without-key',
    breaks: ['platform.list.needs-key'],
    summary: 'The list without a key returns 200 with no account.',
    override: changesResponse(
      (status, { method, url = '', headers }) =>
        method === 'GET' && paths.test(url) && headers.authorization === undefined && status >= 400,
      (response) => ({ ...withText(response, '[]', 'application/json'), status: 200 }),
    ),
  },
  {
    id: 'platform.list.shown-with-401',
    breaks: ['platform.list.needs-key'],
    summary: 'The list without a key returns 401 with the list.',
    override: ({ asksForKey }) => {
      const unauthenticated = new WeakSet<object>()
      return {
        asksForKey: (received) => {
          const isUnauthenticated = received.headers.authorization === undefined
          if (!isUnauthenticated || received.method !== 'GET' || !paths.test(received.path)) return asksForKey(received)
          unauthenticated.add(received.headers)
          return false
        },
        finish: (response, { headers }) =>
          unauthenticated.has(headers) && textOf(response) !== '' ? { ...response, status: 401 } : response,
      }
    },
  },
])
