import { fail } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/response.ts'
import { type PlatformDefect, rows } from './defect.ts'
import { argument, instead, result, returnsAccount } from './overrides.ts'

/** A server with its own format for created_at. */
const spelling = (timestamp: (moment: Date) => string) =>
  returnsAccount(({ createdAt }) => ({ created_at: timestamp(createdAt) }))

/** Clause 2.1: the account of the brokerage. */
export const accountDefects: readonly PlatformDefect[] = [
  ...rows('platform.account.answered', {
    'platform.account.get-with-content-type-rejected A GET with a Content-Type is rejected, although the documentation requires the header.':
      result('judgeReadContentType')((right, [type]) =>
        type === undefined ? right : new ErrorResponse(400, 'A GET has no content.'),
      ),
  }),
  ...rows('platform.account.status-200', {
    'platform.account.status-203 GET of the account returns 203.': () => ({ accountStatus: 203 }),
  }),
  ...rows('platform.account.data', {
    'platform.account.without-wrapper The account is not in data.': () => ({ accountEnvelope: (account) => account }),
    'platform.account.in-an-array data is a list that contains the account.': () =>
      instead('accountEnvelope', (_, account) => ({ data: [account] })),
  }),
  ...rows('platform.account.same-after-creation', {
    'platform.account.wrapper-lost-after-creation After a trading account was created, the account is no longer wrapped in data.':
      result('accountEnvelope')((right, [account], { newest }) => (newest ? account : right)),
    'platform.account.takes-name-of-new-account The account gets the name of the last created trading account.':
      returnsAccount(({ name }, { newest = { name } }) => ({ name: newest.name })),
    'platform.account.status-lost-after-creation After a creation, the account has no status.': () =>
      returnsAccount((_, { newest }) => (newest ? { status: undefined } : {})),
    'platform.account.lost-after-creation After a creation, GET of the account returns 500.': () =>
      returnsAccount((_, { newest }) => (newest ? fail() : {})),
  }),
  ...rows('platform.account.id', {
    'platform.account.id-in-upper-case id begins with ACCT_.': returnsAccount(({ id }) => ({ id: id.toUpperCase() })),
    'platform.account.id-hexadecimal The number in id is hexadecimal.': () =>
      returnsAccount(({ id }) => ({ id: `acct_${(Number(id.slice(5)) + 10).toString(16)}` })),
  }),
  ...rows('platform.account.stable', {
    'platform.account.id-changes-every-second-time Every second response has a different id for the account.':
      returnsAccount(({ id }, { reads }) => ({ id: `${id}${reads % 2 === 0 ? '' : 'b'}` })),
    'platform.account.created-at-is-request-time created_at is the time of the request, in whole seconds.': () =>
      argument('accountBody')((account) => ({ ...account, createdAt: new Date(Date.now() - (Date.now() % 1000)) })),
  }),
  ...rows('platform.account.name', {
    'platform.account.name-null name is null if it was not set.': returnsAccount(() => ({ name: null })),
  }),
  ...rows('platform.account.name-given', {
    'platform.account.name-blank name is an empty string.': returnsAccount(() => ({ name: '' })),
  }),
  ...rows('platform.account.status', {
    'platform.account.status-boolean status is true instead of active.': returnsAccount(() => ({ status: true })),
  }),
  ...rows('platform.account.status-given', {
    'platform.account.status-blank status is an empty string.': returnsAccount(() => ({ status: '' })),
  }),
  ...rows('platform.account.created-at', spelling, {
    'platform.account.created-at-in-local-time created_at is a local time with its offset.': (moment) =>
      `${new Date(moment.getTime() + 7_200_000).toISOString().slice(0, 19)}+02:00`,
    'platform.account.created-at-with-space created_at has a space instead of the T.': (moment) =>
      `${moment.toISOString().slice(0, 19).replace('T', ' ')}Z`,
  }),
  ...rows('platform.account.created-at-real', {
    'platform.account.created-at-day-and-month-swapped Day and month in created_at are swapped, which gives a thirteenth month.':
      spelling(() => '2025-13-04T09:30:15Z'),
    'platform.account.created-at-in-the-year-1 created_at is not filled in, and shows the year 1.': () =>
      spelling(() => '0001-01-01T00:00:00Z'),
    'platform.account.created-at-in-the-future The two-digit year in created_at is read as one of the next century.':
      spelling((moment) => moment.toISOString().replace(/^20(\d\d)(.*)\.\d+Z$/, '21$1$2Z')),
  }),
]
