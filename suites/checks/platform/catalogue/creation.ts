import { accountText } from '../../../session/account-body.ts'
import type { PlatformObservation } from '../../../session/check.ts'
import { createPath } from '../../../session/platform.ts'
import { isMembers, isSuccess } from '../../../session/platform-expect.ts'
import { requireSigning } from '../../../session/signed.ts'
import { creating, onlyOwn, sampling } from '../scopes.ts'
import { isUnauthorized, lookAtAccount, seenAs } from './seen.ts'

/** Clause 4.1: what the specification leaves open about the creation of an account. */
export const creationObservations: readonly PlatformObservation[] = [
  {
    id: 'CPQ-111',
    question: 'platform.create.status',
    title: 'POST /v1/trading-accounts shows the status of a creation',
    ...sampling,
    run: async ({ platform }) => seenAs((await platform.created()).response, { 201: '201', 200: '200', 202: '202' }),
  },
  {
    id: 'CPQ-112',
    question: 'platform.create.body',
    title: 'POST /v1/trading-accounts shows the body of the response to a creation',
    ...sampling,
    async run({ platform }) {
      const { response, draft } = await platform.created()
      const { json, bytes, text } = response
      if (bytes.length === 0) return { answer: 'empty', seen: '' }
      if (!isMembers(json)) return { answer: null, seen: text }
      if (isMembers(json.data)) return { answer: 'data', seen: text }
      return { answer: json.name === draft.name ? 'bare' : null, seen: text }
    },
  },
  {
    id: 'CPQ-113',
    question: 'platform.create.location',
    title: 'POST /v1/trading-accounts shows whether the response has a Location header',
    ...sampling,
    async run({ platform }) {
      const { location } = (await platform.created()).response.headers
      return { answer: location === undefined ? 'absent' : 'sent', seen: location ?? '' }
    },
  },
  {
    id: 'CPQ-114',
    question: 'platform.create.same-twice',
    title: 'POST /v1/trading-accounts with the same content twice shows how a duplicate is handled',
    ...creating,
    creates: 2,
    async run({ platform }) {
      await platform.created()
      const draft = platform.draft()
      const first = await platform.create(draft)
      if (!isSuccess(first)) return { answer: null, seen: `the first was answered with ${first.status}` }
      const second = await platform.create(draft)
      if (!isSuccess(second)) return seenAs(second, { 409: '409', 400: '400', 422: '422' })
      const { accounts } = await platform.list()
      const times = accounts.filter(({ name }) => name === draft.name).length
      return { answer: times === 2 ? 'accepted' : times === 1 ? 'once' : null, seen: `listed ${times} times` }
    },
  },
  {
    id: 'CPQ-115',
    question: 'platform.create.unknown-member',
    title: 'POST /v1/trading-accounts with an extra field shows how unknown fields are handled',
    ...creating,
    creates: 1,
    run: ({ platform }) =>
      lookAtAccount(
        platform,
        { body: accountText(platform.draft(), { comment: 'x' }) },
        { '2xx': 'ignored', 400: '400', 422: '422' },
      ),
  },
  {
    id: 'CPQ-116',
    question: 'platform.create.content-type-absent',
    title: 'POST /v1/trading-accounts without Content-Type shows whether the account is created',
    ...creating,
    creates: 1,
    run: ({ platform }) =>
      lookAtAccount(
        platform,
        { body: accountText(platform.draft()), contentType: null },
        { '2xx': 'accepted', 400: '400', 415: '415' },
      ),
  },
  {
    id: 'CPQ-117',
    question: 'platform.create.content-type-wrong',
    title: 'POST /v1/trading-accounts with Content-Type text/plain shows whether the account is created',
    ...creating,
    creates: 1,
    run: ({ platform }) =>
      lookAtAccount(
        platform,
        { body: accountText(platform.draft()), contentType: 'text/plain' },
        { '2xx': 'accepted', 400: '400', 415: '415' },
      ),
  },
  {
    id: 'CPQ-118',
    question: 'platform.create.size-limit',
    title: 'POST /v1/trading-accounts with 2 MiB of whitespace shows how a large body is handled',
    ...onlyOwn,
    run: ({ platform }) =>
      lookAtAccount(
        platform,
        { body: accountText(platform.draft()) + ' '.repeat(2 * 1024 * 1024) },
        { '2xx': 'accepted', 400: '400', 413: '413', closed: 'closed' },
      ),
  },
  {
    id: 'CPQ-151',
    question: 'platform.errors.invalid-json',
    title: 'POST /v1/trading-accounts with truncated JSON shows the status for invalid JSON',
    ...onlyOwn,
    run: ({ platform }) =>
      lookAtAccount(platform, { body: accountText(platform.draft()).slice(0, -1) }, { 400: '400', 422: '422' }),
  },
  {
    id: 'CPQ-152',
    question: 'platform.errors.not-an-object',
    title: 'POST /v1/trading-accounts with an array shows the status for a body that is not an object',
    ...onlyOwn,
    run: ({ platform }) =>
      lookAtAccount(platform, { body: `[${accountText(platform.draft())}]` }, { 400: '400', 422: '422' }),
  },
  {
    id: 'CPQ-153',
    question: 'platform.signing.replayed',
    title: 'POST /v1/trading-accounts of the same signed bytes twice shows how a replay is handled',
    risk: 'write',
    needs: ['platform', 'platform-secret', 'platform-group'],
    creates: 2,
    async run({ platform }) {
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
]
