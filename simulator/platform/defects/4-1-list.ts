import { after } from '../../defect-parts/events.ts'
import { asks, fail, is, reject, textBecomes, withHeader, withMembers, withStatus } from '../../defect-parts/wire.ts'
import type { TradingAccount } from '../model/trading-account.ts'
import { masked, maskedByDefault, maskedRows, rows } from './defect.ts'
import { withDelayedCreation, withFewFields, withoutHead, withoutList, withoutZeroBalance } from './masks.ts'
import { argument, instead, isWithoutKey, listsAccount, needsNoKey, on, responds, result } from './overrides.ts'

/** A server that stores other values than were sent. */
const stores = (change: (account: TradingAccount, before: readonly TradingAccount[]) => Partial<TradingAccount>) =>
  argument('addAccount', 1)((account, [before]) => ({ ...account, ...change(account, before) }))

/** Servers that add a new account to other accounts than those before, or list others than they store. */
const addsTo = argument('addAccount')
const lists = argument('listedAccounts')

const example: TradingAccount = {
  id: 'ta_1',
  name: 'Example',
  group: 'demo',
  leverage: 100,
  currency: 'USD',
  balance: 10_000,
  createdAt: '2025-03-04T09:30:15.250Z',
}

const ofList = /^GET .*\/(trading-)?accounts/i

const isListRequest = (received: { method?: string; path: string }) =>
  ofList.test(`${received.method} ${received.path}`)

/** Clauses 2.2 and 4.1: what the list shows of the created accounts. */
export const listDefects = maskedByDefault(withoutList, [
  ...maskedRows(withDelayedCreation, 'platform.list.shows-created', {
    'platform.list.newest-missing The list lacks the newest account.': lists((accounts) => accounts.slice(0, -1)),
    'platform.create.acknowledged-but-not-stored A creation returns success, but nothing is stored.': () =>
      instead('addAccount', (_, accounts) => accounts),
  }),
  ...rows('platform.list.shows-once', {
    'platform.create.replaces-account-of-same-name An account replaces an earlier one with the same name.': () =>
      addsTo((accounts, [, { name }]) => accounts.filter((earlier) => earlier.name !== name)),
    'platform.create.stored-twice A new account is stored twice.': () =>
      instead('addAccount', ({ addAccount }, accounts, account) =>
        addAccount(addAccount(accounts, account), { ...account, id: `${account.id}2` }),
      ),
  }),
  ...rows('platform.list.as-sent', {
    'platform.create.name-in-lower-case Names are stored in lower case.': () =>
      stores(({ name }) => ({ name: name.toLowerCase() })),
    'platform.create.name-of-previous-account From the second account on, each gets the name of the previous one.':
      () => {
        let previous: string | undefined
        return stores(({ name }) => {
          const stored = previous ?? name
          previous = name
          return { name: stored }
        })
      },
    'platform.create.name-read-as-latin-1 Names are decoded as Latin-1.': () =>
      instead('decodeText', (_, bytes) => Buffer.from(bytes).toString('latin1')),
    'platform.create.name-escaped-for-html Quotes in a name are stored as &quot;.': () =>
      stores(({ name }) => ({ name: name.replaceAll('"', '&quot;') })),
    'platform.create.tags-removed-from-name Whatever is between < and > is removed from a name.': () =>
      stores(({ name }) => ({ name: name.replaceAll(/<[^>]*>/g, '') })),
    'platform.create.name-cut-at-64 Only the first 64 characters of a name are stored.': () =>
      stores(({ name }) => ({ name: name.slice(0, 64) })),
    'platform.create.long-name-returns-500 A name of more than 255 characters returns 500.': () =>
      argument('readName')((value) => (`${value}`.length > 255 ? fail() : value)),
    'platform.create.name-of-digits-as-number A name of digits is stored as a number, without zeros in front.': () =>
      stores(({ name }) => (/^\d+$/.test(name) ? { name: `${Number(name)}` } : {})),
    'platform.list.name-of-digits-as-number A name of digits is listed as a number.': () =>
      listsAccount(({ name }) => (/^\d+$/.test(name) ? { name: Number(name) } : {})),
    'platform.create.balance-below-1-lost A balance below 1 is stored as 0.': () =>
      stores(({ balance }) => ({ balance: balance < 1 ? 0 : balance })),
    'platform.create.balance-in-signed-32-bits A balance above 2^31 is stored as 2^31 - 1.': () =>
      stores(({ balance }) => ({ balance: Math.min(balance, 2 ** 31 - 1) })),
    'platform.list.balance-as-string The list shows the balance as a string.': () =>
      listsAccount(({ balance }) => ({ balance: `${balance}` })),
    'platform.create.balance-of-yen-in-hundredths A balance in a currency without decimals is divided by 100.': () =>
      stores(({ balance, currency }) => ({ balance: currency === 'JPY' ? balance / 100 : balance })),
    'platform.create.balance-in-cents The balance is stored and shown in cents.': () =>
      stores(({ balance }) => ({ balance: Math.round(balance * 100) })),
    'platform.create.missing-balance-of-previous An account without a balance gets that of the previous request.':
      instead('readBalance', ({ readBalance, known }, value) =>
        value === undefined ? known.balance : readBalance(value),
      ),
    'platform.create.null-balance-of-previous An account whose balance is null gets that of the previous request.':
      instead('readBalance', ({ readBalance, known }, value) => (value === null ? known.balance : readBalance(value))),
    'platform.create.zero-balance-replaced A balance of 0 is taken for none, and 10,000 is stored.': masked(
      withoutZeroBalance,
    )(stores(({ balance }) => ({ balance: balance === 0 ? 10_000 : balance }))),
    'platform.list.zero-balance-missing An account with a balance of 0 is never listed.': masked([
      ...withDelayedCreation,
      ...withoutZeroBalance,
    ])(lists((accounts) => accounts.filter(({ balance }) => balance !== 0))),
    'platform.list.fails-with-other-script The list returns 500 once an account has a name in Chinese.': lists(
      (accounts) =>
        accounts.some(({ name }) => /\p{Script=Han}/u.test(name)) ? reject(500, 'Internal error.') : accounts,
    ),
    'platform.create.balance-as-float The balance is stored as a 32-bit float.': () =>
      stores(({ balance }) => ({ balance: Math.fround(balance) })),
    'platform.create.currency-truncated Only the first two letters of the currency are stored.': () =>
      stores(({ currency }) => ({ currency: currency.slice(0, 2) })),
    'platform.create.other-currencies-become-usd Every currency but EUR is stored as USD.': () =>
      stores(({ currency }) => ({ currency: currency === 'EUR' ? 'EUR' : 'USD' })),
    'platform.create.currency-of-first-account All accounts get the currency of the first one.': () =>
      stores(({ currency }, before) => ({ currency: before[0]?.currency ?? currency })),
  }),
  ...maskedRows(withFewFields, 'platform.list.as-sent', {
    'platform.list.leverage-as-string The list shows the leverage as a string.': result('listedBody')(
      (body, [{ leverage }]) => ('leverage' in Object(body) ? withMembers(body, { leverage: `1:${leverage}` }) : body),
    ),
    'platform.create.leverage-in-one-byte The leverage is stored in eight bits.': () =>
      stores(({ leverage }) => ({ leverage: leverage % 256 })),
  }),
  ...rows('platform.list.keeps-others', {
    'platform.create.replaces-previous-account A new account replaces the previous one.': () =>
      addsTo((accounts) => accounts.slice(0, -1)),
    'platform.list.example-while-empty The list shows an example account until the first one is created.': () =>
      lists((accounts, _, { newest }) => (newest === undefined ? [...accounts, example] : accounts)),
    'platform.list.accounts-expire The list shows an account only for a second after its creation.': () =>
      lists((accounts) => accounts.filter(({ createdAt }) => Date.now() - Date.parse(createdAt) < 1_000)),
    'platform.create.balance-added-to-previous A new balance is added to that of the account before.': addsTo(
      (accounts, [, { balance }]) =>
        accounts.map((earlier, at) =>
          at === accounts.length - 1 ? { ...earlier, balance: earlier.balance + balance } : earlier,
        ),
    ),
    'platform.create.balance-set-on-all The balance of a new account is set on the earlier accounts as well.': () =>
      addsTo((accounts, [, { balance }]) => accounts.map((earlier) => ({ ...earlier, balance }))),
  }),
  ...rows('platform.list.json-content-type', {
    'platform.list.labelled-as-html The list has Content-Type text/html.': () =>
      responds(is(200, ofList), withHeader('Content-Type', 'text/html')),
    'platform.list.decimal-comma Balances with a fraction are listed with a comma, which is not JSON.': responds(
      is(200, ofList),
      textBecomes((text) => text.replaceAll(/(\d)\.(\d\d?[,}])/g, '$1,$2')),
    ),
  }),
  ...rows('platform.list.needs-key', {
    'platform.list.needs-no-key The list needs no key.': needsNoKey(isListRequest),
    'platform.list.any-key The list requires a key, but accepts any.': () =>
      needsNoKey((received) => !isWithoutKey(received) && isListRequest(received)),
    'platform.list.any-scheme The list takes the last word of Authorization for the key, regardless of the scheme.':
      () =>
        result('readBearer')((key, [{ authorization }], { received }) =>
          received !== undefined && isListRequest(received) ? authorization?.split(' ').at(-1) : key,
        ),
    'platform.list.query-needs-no-key The list with a query string needs no key.': masked(withoutList)(
      needsNoKey((received) => received.query !== '' && isListRequest(received)),
    ),
    'platform.list.head-needs-no-key HEAD of the list needs no key.': masked([...withoutList, ...withoutHead])(
      needsNoKey((received) => received.method === 'HEAD' && isListRequest({ ...received, method: 'GET' })),
    ),
    'platform.list.empty-after-wrong-key After a wrong key the list is empty.': after(
      on('wrongKey'),
      lists(() => []),
    ),
    'platform.list.shown-with-401 The list without a key returns 401 with the list.': (right) => ({
      ...needsNoKey((received) => isWithoutKey(received) && isListRequest(received))(right),
      ...responds((_, request) => isWithoutKey(request) && asks(request, ofList), withStatus(401))(right),
    }),
  }),
])
