import type { PlatformObservation } from '../../../session/check.ts'
import { arrangeAccount } from '../../../session/platform-expect.ts'
import { momentOf } from '../moment.ts'
import { reading } from '../scopes.ts'
import { seenAs } from './seen.ts'

const listed = ['id', 'name', 'status', 'created_at']

/** Clause 2.1: what the specification leaves open about the platform account. */
export const accountObservations: readonly PlatformObservation[] = [
  {
    id: 'CPQ-101',
    question: 'platform.account.status-value',
    title: 'GET /v1/account shows the status of the account',
    ...reading,
    async run({ platform }) {
      const { status } = await arrangeAccount(platform)
      if (typeof status !== 'string') return { answer: null, seen: 'status is not a string' }
      return { answer: status === 'active' ? 'active' : 'other', seen: status }
    },
  },
  {
    id: 'CPQ-102',
    question: 'platform.account.created-at-precision',
    title: 'GET /v1/account shows how precise created_at is',
    ...reading,
    async run({ platform }) {
      const { created_at } = await arrangeAccount(platform)
      const digits = momentOf(created_at)?.fraction
      const answers: Readonly<Record<number, string>> = { 0: 'seconds', 3: 'milliseconds', 6: 'microseconds' }
      return { answer: digits === undefined ? null : (answers[digits] ?? null), seen: String(created_at) }
    },
  },
  {
    id: 'CPQ-103',
    question: 'platform.account.created-at-zone',
    title: 'GET /v1/account shows how created_at marks UTC',
    ...reading,
    async run({ platform }) {
      const { created_at } = await arrangeAccount(platform)
      return { answer: momentOf(created_at)?.zone ?? null, seen: String(created_at) }
    },
  },
  {
    id: 'CPQ-104',
    question: 'platform.account.further-members',
    title: 'GET /v1/account shows whether the account has undocumented fields',
    ...reading,
    async run({ platform }) {
      const further = Object.keys(await arrangeAccount(platform)).filter((member) => !listed.includes(member))
      return { answer: further.length === 0 ? 'none' : 'more', seen: further.join(', ') }
    },
  },
  {
    id: 'CPQ-105',
    question: 'platform.account.content-type-absent',
    title: 'GET /v1/account without Content-Type shows whether the request is accepted',
    ...reading,
    run: async ({ platform }) =>
      seenAs(await platform.account({ contentType: null }), { '2xx': 'accepted', 400: '400', 415: '415' }),
  },
]
