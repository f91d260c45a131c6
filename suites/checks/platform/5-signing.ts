import { accountText } from '../../session/account-body.ts'
import type { PlatformCheck } from '../../session/check.ts'
import { createPath } from '../../session/platform.ts'
import { expectNoSuccess } from '../../session/platform-expect.ts'
import { requireSigning } from '../../session/signed.ts'
import type { Signing } from '../../session/signing.ts'
import { readingSigned } from './scopes.ts'

const now = () => Math.floor(Date.now() / 1000)

const other = (digit: string | undefined) => (digit === '0' ? '1' : '0')

const wrongSignatures: readonly {
  readonly id: string
  readonly requirement: string
  readonly what: string
  readonly wrong: () => readonly Signing[]
}[] = [
  {
    id: 'CP-401',
    requirement: 'platform.signing.whole-signature',
    what: 'a single wrong digit in the signature',
    wrong: () =>
      [63, 0, 31].map((at) => ({ spell: (text) => text.slice(0, at) + other(text[at]) + text.slice(at + 1) })),
  },
  {
    id: 'CP-402',
    requirement: 'platform.signing.whole-signature',
    what: 'a truncated or empty signature',
    wrong: () => [63, 62, 32, 8, 1, 0].map((length) => ({ spell: (text) => text.slice(0, length) })),
  },
  {
    id: 'CP-403',
    requirement: 'platform.signing.covers-request',
    what: 'a signature for another path',
    wrong: () => [createPath, '/v1/accounts', ''].map((path) => ({ path })),
  },
  {
    id: 'CP-404',
    requirement: 'platform.signing.covers-request',
    what: 'a signature for another method',
    wrong: () => ['POST', 'DELETE', ''].map((method) => ({ method })),
  },
  {
    id: 'CP-405',
    requirement: 'platform.signing.covers-request',
    what: 'a timestamp one second off the signed timestamp',
    wrong: () => [1, -1].map((difference) => ({ atSeconds: now(), sentSeconds: now() + difference })),
  },
  {
    id: 'CP-406',
    requirement: 'platform.signing.day-old',
    what: 'a signature that is a day or a year old',
    wrong: () => [1, 365].map((days) => ({ atSeconds: now() - days * 86_400 })),
  },
]

/** Each wrong signature is rejected; the correct one is accepted. */
const wrongSignatureChecks = wrongSignatures.map(
  ({ id, requirement, what, wrong }): PlatformCheck => ({
    id,
    requirement,
    title: `GET /v1/account with ${what} is rejected`,
    ...readingSigned,
    async run({ platform }) {
      const signings = wrong()
      await requireSigning(platform)
      for (const sign of signings) expectNoSuccess(await platform.account({ sign }))
    },
  }),
)

/** Clause 5: signatures, if the platform rejects wrong ones. */
export const signingChecks: readonly PlatformCheck[] = [
  ...wrongSignatureChecks,
  {
    id: 'CP-407',
    requirement: 'platform.signing.covers-request',
    title: 'POST /v1/trading-accounts with a signature for another body is rejected',
    risk: 'write',
    needs: ['platform', 'platform-secret', 'platform-group'],
    creates: 4,
    async run({ platform }) {
      await requireSigning(platform)
      const first = platform.draft()
      await platform.create(first)
      for (const body of [accountText(first), '']) {
        expectNoSuccess(await platform.create(platform.draft(), { sign: { body } }))
      }
    },
  },
]
