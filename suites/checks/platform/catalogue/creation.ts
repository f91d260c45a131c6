import type { PlatformQuestionId } from '../../../../spec/platform/questions.ts'
import type { AccountDraft } from '../../../session/account.ts'
import { accountText } from '../../../session/account-body.ts'
import type { ObservedAnswer, PlatformObservation } from '../../../session/check.ts'
import { createPath } from '../../../session/platform.ts'
import { accountNamed, isMembers, isSuccess } from '../../../session/platform-expect.ts'
import type { PlatformSession } from '../../../session/platform-session.ts'
import { requireSigning } from '../../../session/signed.ts'
import type { PointOf } from '../../plugin/catalogue/row.ts'
import { creating, ownPlatformOnly, sampling } from '../scopes.ts'
import { answerForStatus, creation, isUnauthorized, lookAtHeader, observing, type RequestRow } from './row.ts'

const createsOne = { ...creating, creates: 1 } as const

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

/** Sent only to a platform that the kit started, since group or name of the created account are unknown. */
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
export const creationObservations: readonly PlatformObservation[] = [
  ...observing(sampling, [
    {
      ids: ['CPQ-111', 'create.status'],
      title: 'POST /v1/trading-accounts shows the status of a creation',
      observe: async (platform) =>
        answerForStatus((await platform.created()).response, { 201: '201', 200: '200', 202: '202' }),
    },
    {
      ids: ['CPQ-112', 'create.body'],
      title: 'POST /v1/trading-accounts shows the body of the response to a creation',
      async observe(platform) {
        const { response, draft } = await platform.created()
        const { json, bytes, text } = response
        if (bytes.length === 0) return { answer: 'empty', seen: '' }
        if (!isMembers(json)) return { answer: null, seen: text }
        if (isMembers(json.data)) return { answer: 'data', seen: text }
        return { answer: json.name === draft.name ? 'bare' : null, seen: text }
      },
    },
    {
      ids: ['CPQ-113', 'create.location'],
      title: 'POST /v1/trading-accounts shows whether the response has a Location header',
      observe: async (platform) => lookAtHeader((await platform.created()).response, 'location'),
    },
  ]),
  ...observing({ ...creating, creates: 2 }, [
    {
      ids: ['CPQ-114', 'create.same-twice'],
      title: 'POST /v1/trading-accounts with the same content twice shows how a duplicate is handled',
      async observe(platform) {
        await platform.created()
        const draft = platform.draft()
        const first = await platform.create(draft)
        if (!isSuccess(first)) return { answer: null, seen: `the first was answered with ${first.status}` }
        const second = await platform.create(draft)
        if (!isSuccess(second)) return answerForStatus(second, { 409: '409', 400: '400', 422: '422' })
        const { accounts } = await platform.list()
        const times = accounts.filter(({ name }) => name === draft.name).length
        return { answer: times === 2 ? 'accepted' : times === 1 ? 'once' : null, seen: `listed ${times} times` }
      },
    },
  ]),
  ...observing(createsOne, [
    {
      ids: ['CPQ-115', 'create.unknown-member'],
      title: 'POST /v1/trading-accounts with an extra field shows how unknown fields are handled',
      ...creation((draft) => accountText(draft, { comment: 'x' })),
      answers: { '2xx': 'ignored', 400: '400', 422: '422' },
    },
    {
      ids: ['CPQ-116', 'create.content-type-absent'],
      title: 'POST /v1/trading-accounts without Content-Type shows whether the account is created',
      ...creation(accountText, { contentType: null }),
      answers: { '2xx': 'accepted', 400: '400', 415: '415' },
    },
    {
      ids: ['CPQ-117', 'create.content-type-wrong'],
      title: 'POST /v1/trading-accounts with Content-Type text/plain shows whether the account is created',
      ...creation(accountText, { contentType: 'text/plain' }),
      answers: { '2xx': 'accepted', 400: '400', 415: '415' },
    },
  ]),
  ...observing(ownPlatformOnly, [
    {
      ids: ['CPQ-118', 'create.size-limit'],
      title: 'POST /v1/trading-accounts with 2 MiB of whitespace shows how a large body is handled',
      ...creation((draft) => accountText(draft) + ' '.repeat(2 * 1024 * 1024)),
      answers: { '2xx': 'accepted', 400: '400', 413: '413', closed: 'closed' },
    },
    {
      ids: ['CPQ-151', 'errors.invalid-json'],
      title: 'POST /v1/trading-accounts with truncated JSON shows the status for invalid JSON',
      ...creation((draft) => accountText(draft).slice(0, -1)),
      answers: { 400: '400', 422: '422' },
    },
    {
      ids: ['CPQ-152', 'errors.not-an-object'],
      title: 'POST /v1/trading-accounts with an array shows the status for a body that is not an object',
      ...creation((draft) => `[${accountText(draft)}]`),
      answers: { 400: '400', 422: '422' },
    },
  ]),
  ...observing({ risk: 'write', needs: ['platform', 'platform-secret', 'platform-group'], creates: 2 }, [
    {
      ids: ['CPQ-153', 'signing.replayed'],
      title: 'POST /v1/trading-accounts of the same signed bytes twice shows how a replay is handled',
      async observe(platform) {
        await requireSigning(platform)
        const body = accountText(platform.draft())
        const sign = { atSeconds: Math.floor(Date.now() / 1000) }
        const send = () => platform.send({ method: 'POST', path: createPath, body, sign })
        const first = await send()
        if (!isSuccess(first)) return { answer: null, seen: `the first was answered with ${first.status}` }
        const second = await send()
        return { answer: isUnauthorized(second) ? 'refused' : 'accepted', seen: `status ${second.status}` }
      },
    },
  ]),
  ...observing(createsOne, [
    {
      ids: ['CPQ-119', 'create.balance-third-decimal'],
      title: 'POST /v1/trading-accounts with balance 1000.125 shows how a third decimal is handled',
      observe: lookAtThirdDecimal,
    },
    ...ordinaryNames.map(withFields),
  ]),
  ...observing(ownPlatformOnly, oddNames.map(withFields)),
]

function withFields([id, point, fields, changes]: Odd): RequestRow {
  return {
    ids: [id, `create.${point}`],
    title: `POST /v1/trading-accounts with ${fields} shows whether the account is created`,
    ...creation((draft) => accountText(draft, typeof changes === 'function' ? changes(draft) : changes)),
    answers: { 400: '400', 422: '422', '2xx': 'accepted' },
  }
}

async function lookAtThirdDecimal(platform: PlatformSession): Promise<ObservedAnswer> {
  await platform.created()
  const draft = platform.draft({ balance: 1_000.125 })
  const response = await platform.create(draft)
  if (response.status > 299) return answerForStatus(response, { 400: '400', 422: '422' })
  const balance = await storedBalance(platform, draft, response.json)
  if (balance === undefined) return { answer: null, seen: 'neither the response nor a list shows the balance' }
  return { answer: Number(balance) === draft.balance ? 'kept' : 'rounded', seen: String(balance) }
}

/** The balance in the list. Without a list, the one in the response to the creation. */
async function storedBalance(platform: PlatformSession, { name }: AccountDraft, json: unknown): Promise<unknown> {
  if ((await platform.listPath()) !== null) return accountNamed(await platform.list(), name)?.balance
  const bare = isMembers(json) ? json : {}
  return isMembers(bare.data) ? bare.data.balance : bare.balance
}
