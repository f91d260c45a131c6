import type { PlatformQuestionId } from '../../../../spec/platform/questions.ts'
import { isObject } from '../../../client/json.ts'
import { isSuccess } from '../../../client/response.ts'
import { type AccountDraft, accountText } from '../../../session/account.ts'
import type { ObservedAnswer } from '../../../session/check.ts'
import { accountNamed, requireSigning } from '../../../session/platform-expect.ts'
import type { PlatformSession } from '../../../session/platform-session.ts'
import { nowSeconds } from '../../../session/signing.ts'
import { answerFor, observeHeader } from '../../plugin/catalogue/observe.ts'
import type { PointOf } from '../../plugin/catalogue/row.ts'
import { creating, creatingOne, creatingSigned, disposableOnly, sampling } from '../scopes.ts'
import { creation, isUnauthorized, observing, type Row } from './row.ts'

const creatingTwo = { ...creating, creates: 2 } as const
const creatingTwoSigned = { ...creatingSigned, creates: 2 } as const

/** One unusual field of an otherwise ordinary account; `undefined` leaves the field out. */
type Odd = readonly [
  id: `CPQ-${number}`,
  point: PointOf<'platform.create', PlatformQuestionId>,
  fields: string,
  changes: Changes | ((draft: AccountDraft) => Changes),
]
type Changes = Readonly<Record<string, unknown>>

/** Sent to any platform: the created account has the announced group and name. */
const ordinaryNames: readonly Odd[] = [
  ['CPQ-120', 'balance-zero', 'balance 0', { balance: 0 }],
  ['CPQ-121', 'balance-negative', 'balance -1', { balance: -1 }],
  ['CPQ-122', 'leverage-zero', 'leverage 0', { leverage: 0 }],
  ['CPQ-123', 'leverage-negative', 'leverage -100', { leverage: -100 }],
  ['CPQ-124', 'leverage-decimal', 'leverage 100.5', { leverage: 100.5 }],
  ['CPQ-125', 'leverage-text', 'leverage "100"', { leverage: '100' }],
  ['CPQ-126', 'leverage-large', 'leverage 100000', { leverage: 100_000 }],
  ['CPQ-127', 'currency-unknown', 'currency QQQ', { currency: 'QQQ' }],
  ['CPQ-128', 'currency-lower-case', 'currency usd', ({ currency }) => ({ currency: currency.toLowerCase() })],
  ['CPQ-129', 'currency-two-letters', 'currency US', { currency: 'US' }],
  ['CPQ-130', 'currency-symbol', 'currency $', { currency: '$' }],
  ['CPQ-131', 'balance-text', 'balance "1000"', { balance: '1000' }],
  ['CPQ-132', 'balance-null', 'balance null', { balance: null }],
  ['CPQ-133', 'missing-leverage', 'no leverage', { leverage: undefined }],
  ['CPQ-134', 'missing-currency', 'no currency', { currency: undefined }],
  ['CPQ-135', 'missing-balance', 'no balance', { balance: undefined }],
  ['CPQ-136', 'name-long', 'a name of 300 characters', ({ name }) => ({ name: name.padEnd(300, 'x') })],
]

/** Sent only to a platform that the kit started, since the group or the name of the created account is unknown. */
const oddNames: readonly Odd[] = [
  ['CPQ-141', 'missing-name', 'no name', { name: undefined }],
  ['CPQ-142', 'missing-group', 'no group', { group: undefined }],
  ['CPQ-143', 'name-empty', 'an empty name', { name: '' }],
  ['CPQ-144', 'name-number', 'name 7', { name: 7 }],
  ['CPQ-145', 'group-number', 'group 7', { group: 7 }],
  ['CPQ-146', 'group-unknown', 'an unknown group', { group: 'no-such-group' }],
  ['CPQ-147', 'group-upper-case', 'an upper-case group', ({ group }) => ({ group: group.toUpperCase() })],
]

/** Clause 4.1: what the specification leaves open about the creation of an account. */
export const creationObservations = [
  ...observing(sampling, {
    'CPQ-111 POST /v1/trading-accounts shows the status of a creation': {
      point: 'create.status',
      observe: async (platform) =>
        answerFor((await platform.created()).response.status, { 201: '201', 200: '200', 202: '202' }),
    },
    'CPQ-112 POST /v1/trading-accounts shows the body of the response to a creation': {
      point: 'create.body',
      async observe(platform) {
        const { response, draft } = await platform.created()
        const { json, bytes, text } = response
        if (bytes.length === 0) return { answer: 'empty', seen: '' }
        if (!isObject(json)) return { answer: null, seen: text }
        if (isObject(json.data)) return { answer: 'data', seen: text }
        return { answer: json.name === draft.name ? 'bare' : null, seen: text }
      },
    },
    'CPQ-113 POST /v1/trading-accounts shows whether the response has a Location header': {
      point: 'create.location',
      observe: async (platform) => observeHeader((await platform.created()).response, 'location'),
    },
  }),
  ...observing(creatingTwo, {
    'CPQ-114 POST /v1/trading-accounts with the same content twice shows how a duplicate is handled': {
      point: 'create.same-twice',
      async observe(platform) {
        await platform.created()
        const draft = platform.draft()
        const first = await platform.create(draft)
        if (!isSuccess(first)) return { answer: null, seen: `the first was answered with ${first.status}` }
        const second = await platform.create(draft)
        if (!isSuccess(second)) return answerFor(second.status, { 409: '409', 400: '400', 422: '422' })
        const { accounts } = await platform.list()
        const times = accounts.filter(({ name }) => name === draft.name).length
        return { answer: times === 2 ? 'accepted' : times === 1 ? 'once' : null, seen: `listed ${times} times` }
      },
    },
  }),
  ...observing(creatingOne, {
    'CPQ-115 POST /v1/trading-accounts with an extra field shows how unknown fields are handled': {
      point: 'create.unknown-member',
      ...creation((draft) => accountText(draft, { comment: 'x' })),
      answers: { '2xx': 'ignored', 400: '400', 422: '422' },
    },
    'CPQ-116 POST /v1/trading-accounts without Content-Type shows whether the account is created': {
      point: 'create.content-type-absent',
      ...creation(accountText, { contentType: null }),
      answers: { '2xx': 'accepted', 400: '400', 415: '415' },
    },
    'CPQ-117 POST /v1/trading-accounts with Content-Type text/plain shows whether the account is created': {
      point: 'create.content-type-wrong',
      ...creation(accountText, { contentType: 'text/plain' }),
      answers: { '2xx': 'accepted', 400: '400', 415: '415' },
    },
  }),
  ...observing(disposableOnly, {
    'CPQ-118 POST /v1/trading-accounts with 2 MiB of whitespace shows how a large body is handled': {
      point: 'create.size-limit',
      ...creation((draft) => accountText(draft) + ' '.repeat(2 * 1024 * 1024)),
      answers: { '2xx': 'accepted', 400: '400', 413: '413', closed: 'closed' },
    },
    'CPQ-151 POST /v1/trading-accounts with truncated JSON shows the status for invalid JSON': {
      point: 'errors.invalid-json',
      ...creation((draft) => accountText(draft).slice(0, -1)),
      answers: { 400: '400', 422: '422' },
    },
    'CPQ-152 POST /v1/trading-accounts with an array shows the status for a body that is not an object': {
      point: 'errors.not-an-object',
      ...creation((draft) => `[${accountText(draft)}]`),
      answers: { 400: '400', 422: '422' },
    },
  }),
  ...observing(creatingTwoSigned, {
    'CPQ-153 POST /v1/trading-accounts of the same signed bytes twice shows how a replay is handled': {
      point: 'signing.replayed',
      async observe(platform) {
        await requireSigning(platform)
        const body = accountText(platform.draft())
        const sign = { atSeconds: nowSeconds() }
        const send = () => platform.createText(body, { sign })
        const first = await send()
        if (!isSuccess(first)) return { answer: null, seen: `the first was answered with ${first.status}` }
        const second = await send()
        return { answer: isUnauthorized(second) ? 'refused' : 'accepted', seen: `status ${second.status}` }
      },
    },
  }),
  ...observing(creatingOne, {
    'CPQ-119 POST /v1/trading-accounts with balance 1000.125 shows how a third decimal is handled': {
      point: 'create.balance-third-decimal',
      observe: observeThirdDecimal,
    },
    ...withFields(ordinaryNames),
  }),
  ...observing(disposableOnly, withFields(oddNames)),
]

function withFields(odds: readonly Odd[]): Readonly<Record<string, Row>> {
  const rows = odds.map(([id, point, fields, changes]): [string, Row] => [
    `${id} POST /v1/trading-accounts with ${fields} shows whether the account is created`,
    {
      point: `create.${point}`,
      ...creation((draft) => accountText(draft, typeof changes === 'function' ? changes(draft) : changes)),
      answers: { 400: '400', 422: '422', '2xx': 'accepted' },
    },
  ])
  return Object.fromEntries(rows)
}

async function observeThirdDecimal(platform: PlatformSession): Promise<ObservedAnswer> {
  await platform.created()
  const draft = platform.draft({ balance: 1_000.125 })
  const response = await platform.create(draft)
  if (response.status > 299) return answerFor(response.status, { 400: '400', 422: '422' })
  const balance = await storedBalance(platform, draft, response.json)
  if (balance === undefined) return { answer: null, seen: 'neither the response nor a list shows the balance' }
  return { answer: Number(balance) === draft.balance ? 'kept' : 'rounded', seen: String(balance) }
}

/** The balance in the list. Without a list, the one in the response to the creation. */
async function storedBalance(platform: PlatformSession, { name }: AccountDraft, json: unknown): Promise<unknown> {
  if ((await platform.listPath()) !== null) return accountNamed(await platform.list(), name)?.balance
  const bare = isObject(json) ? json : {}
  return isObject(bare.data) ? bare.data.balance : bare.balance
}
