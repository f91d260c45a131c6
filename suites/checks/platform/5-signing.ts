import { accountText } from '../../session/account.ts'
import type { PlatformCheck } from '../../session/check.ts'
import { createPath } from '../../session/platform.ts'
import { expectNoSuccess, rejectAtLimit, requireSigning, requireSuccess } from '../../session/platform-expect.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import type { Signing } from '../../session/signing.ts'
import { checks, creatingSigned, readingSigned } from './scopes.ts'

const now = () => Math.floor(Date.now() / 1000)

const other = (digit: string | undefined) => (digit === '0' ? '1' : '0')

/** Each of the wrong signatures is rejected; the correct one is accepted. */
const rejects = (wrong: () => readonly Signing[]) => async (platform: PlatformSession) => {
  const signings = wrong()
  await requireSigning(platform)
  for (const sign of signings) expectNoSuccess(await platform.account({ sign }))
}

/** Clause 5: signatures, if the platform rejects wrong ones. */
export const signingChecks: readonly PlatformCheck[] = [
  ...checks(readingSigned, 'platform.signing.whole-signature', {
    'CP-401 GET /v1/account with a single wrong digit in the signature is rejected': rejects(() =>
      [63, 0, 31].map((at) => ({ spell: (text) => text.slice(0, at) + other(text[at]) + text.slice(at + 1) })),
    ),
    'CP-402 GET /v1/account with a truncated or empty signature is rejected': rejects(() =>
      [63, 62, 32, 8, 1, 0].map((length) => ({ spell: (text) => text.slice(0, length) })),
    ),
  }),
  ...checks(readingSigned, 'platform.signing.covers-request', {
    'CP-403 GET /v1/account with a signature for another path is rejected': rejects(() =>
      [createPath, '/v1/accounts', ''].map((path) => ({ path })),
    ),
    'CP-404 GET /v1/account with a signature for another method is rejected': rejects(() =>
      ['POST', 'DELETE', ''].map((method) => ({ method })),
    ),
    'CP-405 GET /v1/account with a timestamp one second off the signed timestamp is rejected': rejects(() =>
      [1, -1].map((difference) => ({ atSeconds: now(), sentSeconds: now() + difference })),
    ),
  }),
  ...checks(readingSigned, 'platform.signing.day-old', {
    'CP-406 GET /v1/account with a signature that is a day or a year old is rejected': rejects(() =>
      [1, 365].map((days) => ({ atSeconds: now() - days * 86_400 })),
    ),
  }),
  ...checks({ ...creatingSigned, creates: 4, tolerates: ['no effect'] }, 'platform.signing.covers-request', {
    'CP-407 POST /v1/trading-accounts with a signature for another body is rejected': async (platform) => {
      await requireSigning(platform)
      const first = platform.draft()
      const response = await platform.create(first)
      rejectAtLimit(response)
      requireSuccess(response)
      for (const body of [accountText(first), '']) {
        expectNoSuccess(await platform.create(platform.draft(), { sign: { body } }))
      }
    },
  }),
]
