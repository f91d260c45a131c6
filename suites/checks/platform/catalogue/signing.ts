import type { PlatformObservation } from '../../../session/check.ts'
import { accountPath } from '../../../session/platform.ts'
import { isSuccess } from '../../../session/platform-expect.ts'
import { requireSigning, wrongSignature } from '../../../session/signed.ts'
import type { Signing } from '../../../session/signing.ts'
import { readingSigned } from '../scopes.ts'
import { answerForStatus, getAccount, isUnauthorized, observing, type RequestRow } from './row.ts'

/** GET of the account with an unusual signature, on platforms that check signatures. */
const signed = (sign: () => Signing): Omit<RequestRow, 'ids' | 'title'> => ({
  after: requireSigning,
  send: () => getAccount({ sign: sign() }),
  answers: { '2xx': 'accepted', '4xx': 'refused' },
})

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

/** Clause 5: what the specification leaves open about signatures. */
export const signingObservations: readonly PlatformObservation[] = observing(readingSigned, [
  {
    ids: ['CPQ-401', 'signing.check'],
    title: 'GET /v1/account with a wrong and without a signature shows how signatures are handled',
    async observe(platform) {
      if ((await wrongSignature(platform)) === null) return { answer: 'off', seen: 'a wrong signature is accepted' }
      const response = await platform.account({ sign: null })
      const seen = `status ${response.status} without a signature`
      return { answer: isSuccess(response) ? 'accepted' : 'required', seen }
    },
  },
  {
    ids: ['CPQ-402', 'signing.status'],
    title: 'GET /v1/account with a wrong signature shows the status for a wrong signature',
    observe: async (platform) => answerForStatus(await requireSigning(platform), { 401: '401', 403: '403' }),
  },
  {
    ids: ['CPQ-403', 'signing.stale'],
    title: 'GET /v1/account signed ten minutes ago shows whether the timestamp is accepted',
    ...signed(() => ({ atSeconds: inSeconds(-600) })),
  },
  {
    ids: ['CPQ-404', 'signing.future'],
    title: 'GET /v1/account signed ten minutes ahead shows whether the timestamp is accepted',
    ...signed(() => ({ atSeconds: inSeconds(600) })),
  },
  {
    ids: ['CPQ-405', 'signing.without-timestamp'],
    title: 'GET /v1/account with a signature and no timestamp shows whether the request is accepted',
    ...signed(() => ({ withoutTimestamp: true })),
  },
  {
    ids: ['CPQ-406', 'signing.upper-case'],
    title: 'GET /v1/account with an upper-case signature shows whether that spelling is accepted',
    ...signed(() => ({ spell: (text) => text.toUpperCase() })),
  },
  {
    ids: ['CPQ-407', 'signing.covers-query'],
    title: 'A signed GET with a query string shows whether the signature covers the query string',
    async observe(platform) {
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
])
