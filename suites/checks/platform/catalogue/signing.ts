import { isSuccess } from '../../../client/response.ts'
import { accountPath } from '../../../session/platform.ts'
import { requireSigning, wrongSignature } from '../../../session/platform-expect.ts'
import { nowSeconds, type Signing } from '../../../session/signing.ts'
import { answerFor } from '../../plugin/catalogue/observe.ts'
import { readingSigned } from '../scopes.ts'
import { getAccount, isUnauthorized, observing, type RequestRow } from './row.ts'

/** GET of the account with an unusual signature, on platforms that check signatures. */
const signed = (sign: () => Signing): RequestRow => ({
  after: requireSigning,
  send: () => getAccount({ sign: sign() }),
  answers: { '2xx': 'accepted', '4xx': 'refused' },
})

/** Clause 5: what the specification leaves open about signatures. */
export const signingObservations = observing(readingSigned, {
  'CPQ-401 GET /v1/account with a wrong and without a signature shows how signatures are handled': {
    point: 'signing.check',
    async observe(platform) {
      if ((await wrongSignature(platform)) === null) return { answer: 'off', seen: 'a wrong signature is accepted' }
      const response = await platform.account({ sign: null })
      const seen = `status ${response.status} without a signature`
      return { answer: isSuccess(response) ? 'accepted' : 'required', seen }
    },
  },
  'CPQ-402 GET /v1/account with a wrong signature shows the status for a wrong signature': {
    point: 'signing.status',
    observe: async (platform) => answerFor((await requireSigning(platform)).status, { 401: '401', 403: '403' }),
  },
  'CPQ-403 GET /v1/account signed ten minutes ago shows whether the timestamp is accepted': {
    point: 'signing.stale',
    ...signed(() => ({ atSeconds: nowSeconds() - 600 })),
  },
  'CPQ-404 GET /v1/account signed ten minutes ahead shows whether the timestamp is accepted': {
    point: 'signing.future',
    ...signed(() => ({ atSeconds: nowSeconds() + 600 })),
  },
  'CPQ-405 GET /v1/account with a signature and no timestamp shows whether the request is accepted': {
    point: 'signing.without-timestamp',
    ...signed(() => ({ withoutTimestamp: true })),
  },
  'CPQ-406 GET /v1/account with an upper-case signature shows whether that spelling is accepted': {
    point: 'signing.upper-case',
    ...signed(() => ({ spell: (text) => text.toUpperCase() })),
  },
  'CPQ-407 A signed GET with a query string shows whether the signature covers the query string': {
    point: 'signing.covers-query',
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
})
