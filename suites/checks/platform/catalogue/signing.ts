import type { PlatformObservation } from '../../../session/check.ts'
import { accountPath } from '../../../session/platform.ts'
import { isSuccess } from '../../../session/platform-expect.ts'
import { requireSigning, wrongSignature } from '../../../session/signed.ts'
import { readingSigned } from '../scopes.ts'
import { isUnauthorized, seenAs } from './seen.ts'

const acceptedOrRefused = { '2xx': 'accepted', '4xx': 'refused' } as const
const now = () => Math.floor(Date.now() / 1000)

/** Clause 5: what the specification leaves open about signatures. */
export const signingObservations: readonly PlatformObservation[] = [
  {
    id: 'CPQ-401',
    question: 'platform.signing.check',
    title: 'GET /v1/account with a wrong and without a signature shows how signatures are handled',
    ...readingSigned,
    async run({ platform }) {
      if ((await wrongSignature(platform)) === null) return { answer: 'off', seen: 'a wrong signature is accepted' }
      const response = await platform.account({ sign: null })
      const seen = `status ${response.status} without a signature`
      return { answer: isSuccess(response) ? 'accepted' : 'required', seen }
    },
  },
  {
    id: 'CPQ-402',
    question: 'platform.signing.status',
    title: 'GET /v1/account with a wrong signature shows the status for a wrong signature',
    ...readingSigned,
    run: async ({ platform }) => seenAs(await requireSigning(platform), { 401: '401', 403: '403' }),
  },
  ...(['stale', 'future'] as const).map(
    (point, position): PlatformObservation => ({
      id: `CPQ-${403 + position}`,
      question: `platform.signing.${point}`,
      title: `GET /v1/account signed ten minutes ${point === 'stale' ? 'ago' : 'ahead'} shows whether the timestamp is accepted`,
      ...readingSigned,
      async run({ platform }) {
        await requireSigning(platform)
        const atSeconds = now() + (point === 'stale' ? -600 : 600)
        return seenAs(await platform.account({ sign: { atSeconds } }), acceptedOrRefused)
      },
    }),
  ),
  {
    id: 'CPQ-405',
    question: 'platform.signing.without-timestamp',
    title: 'GET /v1/account with a signature and no timestamp shows whether the request is accepted',
    ...readingSigned,
    async run({ platform }) {
      await requireSigning(platform)
      return seenAs(await platform.account({ sign: { withoutTimestamp: true } }), acceptedOrRefused)
    },
  },
  {
    id: 'CPQ-406',
    question: 'platform.signing.upper-case',
    title: 'GET /v1/account with an upper-case signature shows whether that spelling is accepted',
    ...readingSigned,
    async run({ platform }) {
      await requireSigning(platform)
      return seenAs(await platform.account({ sign: { spell: (text) => text.toUpperCase() } }), acceptedOrRefused)
    },
  },
  {
    id: 'CPQ-407',
    question: 'platform.signing.covers-query',
    title: 'A signed GET with a query string shows whether the signature covers the query string',
    ...readingSigned,
    async run({ platform }) {
      await requireSigning(platform)
      const path = (await platform.listPath()) ?? accountPath
      const request = { method: 'GET', path: `${path}?limit=1` } as const
      const whole = await platform.send(request)
      const bare = await platform.send({ ...request, sign: { path } })
      const seen = `status ${whole.status} with it, ${bare.status} without it`
      if (isUnauthorized(whole) === isUnauthorized(bare)) return { answer: null, seen }
      return { answer: isUnauthorized(bare) ? 'included' : 'excluded', seen }
    },
  },
]
