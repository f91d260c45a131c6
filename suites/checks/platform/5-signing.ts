import { accountText } from '../../session/account-body.ts'
import type { PlatformCheck } from '../../session/check.ts'
import { createPath } from '../../session/platform.ts'
import { expectAccount, expectNoSuccess, expectSuccess } from '../../session/platform-expect.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { requireSigning } from '../../session/signed.ts'
import type { Signing } from '../../session/signing.ts'

const reading = { risk: 'read', needs: ['platform', 'platform-secret'] } as const

/** Each of these signatures is rejected; the right one is accepted. */
async function expectSignaturesRejected(platform: PlatformSession, wrong: readonly Signing[]): Promise<void> {
  await requireSigning(platform)
  for (const sign of wrong) expectNoSuccess(await platform.account({ sign }))
  expectAccount(await platform.account())
}

const now = () => Math.floor(Date.now() / 1000)

/** Clause 5: signatures, where wrong ones are rejected at all. */
export const signingChecks: readonly PlatformCheck[] = [
  {
    id: 'CP-401',
    requirement: 'platform.signing.whole-signature',
    title: 'GET /v1/account with a single wrong digit in the signature is rejected',
    ...reading,
    run: ({ platform }) =>
      expectSignaturesRejected(
        platform,
        [63, 0, 31].map((at) => ({ spell: (text) => text.slice(0, at) + other(text[at]) + text.slice(at + 1) })),
      ),
  },
  {
    id: 'CP-402',
    requirement: 'platform.signing.shortened',
    title: 'GET /v1/account with a truncated or empty signature is rejected',
    ...reading,
    run: ({ platform }) =>
      expectSignaturesRejected(
        platform,
        [63, 62, 32, 8, 1, 0].map((length) => ({ spell: (text) => text.slice(0, length) })),
      ),
  },
  {
    id: 'CP-403',
    requirement: 'platform.signing.covers-path',
    title: 'GET /v1/account with a signature for another path is rejected',
    ...reading,
    run: ({ platform }) =>
      expectSignaturesRejected(platform, [{ path: createPath }, { path: '/v1/accounts' }, { path: '' }]),
  },
  {
    id: 'CP-404',
    requirement: 'platform.signing.covers-method',
    title: 'GET /v1/account with a signature for another method is rejected',
    ...reading,
    run: ({ platform }) =>
      expectSignaturesRejected(platform, [{ method: 'POST' }, { method: 'DELETE' }, { method: '' }]),
  },
  {
    id: 'CP-405',
    requirement: 'platform.signing.covers-timestamp',
    title: 'GET /v1/account with a timestamp one second off the signed timestamp is rejected',
    ...reading,
    run: ({ platform }) =>
      expectSignaturesRejected(
        platform,
        [1, -1].map((difference) => ({ atSeconds: now(), sentSeconds: now() + difference })),
      ),
  },
  {
    id: 'CP-406',
    requirement: 'platform.signing.day-old',
    title: 'GET /v1/account with a signature that is a day or a year old is rejected',
    ...reading,
    run: ({ platform }) =>
      expectSignaturesRejected(
        platform,
        [1, 365].map((days) => ({ atSeconds: now() - days * 86_400 })),
      ),
  },
  {
    id: 'CP-407',
    requirement: 'platform.signing.covers-body',
    title: 'POST /v1/trading-accounts with a signature for another body is rejected',
    risk: 'write',
    needs: ['platform', 'platform-secret', 'platform-group'],
    creates: 4,
    async run({ platform }) {
      await requireSigning(platform)
      const first = platform.draft()
      const another = accountText(first, { balance: first.balance + 0.5 })
      expectSuccess(await platform.create(first))
      for (const body of [accountText(first), another, '']) {
        expectNoSuccess(await platform.create(platform.draft(), { sign: { body } }))
      }
    },
  },
]

function other(digit: string | undefined): string {
  return digit === '0' ? '1' : '0'
}
