import { after } from '../../assertions/failure.ts'
import { isSuccess, orClosed } from '../../client/response.ts'
import { accountText, rejectAtLimit } from '../../session/account.ts'
import { accountPath, createPath } from '../../session/platform.ts'
import {
  arrangeAccount,
  expectClientError,
  expectNoSuccess,
  isClientError,
  requireSigning,
  requireSuccess,
} from '../../session/platform-expect.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { nowSeconds, otherDigit, type Signing, wrongDigits } from '../../session/signing.ts'
import { checks, creatingSigned, readingSigned } from './scopes.ts'

/** A request that `mayCountAsUnsigned` is only sent if unsigned requests are rejected. */
type WrongSigning = readonly [what: string, sign: Signing & { readonly mayCountAsUnsigned?: true }]

async function thatCountAsSigned(platform: PlatformSession, wrong: readonly WrongSigning[]) {
  const isUnsure = ([, { mayCountAsUnsigned }]: WrongSigning) => mayCountAsUnsigned === true
  const isNoneAccepted = wrong.some(isUnsure) && isSuccess(await platform.account({ sign: null }))
  return wrong.filter((one) => !(isUnsure(one) && isNoneAccepted))
}

/** Each of the wrong signatures is rejected. The correct one is sent before each, on the same connection if it stays open. */
const rejects =
  (wrong: (platform: PlatformSession) => readonly WrongSigning[]) =>
  async (platform: PlatformSession): Promise<void> => {
    await requireSigning(platform)
    for (const [what, sign] of await thatCountAsSigned(platform, wrong(platform))) {
      await platform.account()
      const response = await platform.account({ sign })
      await after(`GET with a signature ${what}`, () => expectNoSuccess(response))
    }
  }

const withOtherDigit = (at: number): Signing => ({
  spell: (text) => text.slice(0, at) + otherDigit(text[at]) + text.slice(at + 1),
})

const outsideOfAscii = 'of letters outside of ASCII'

/** A correct request is only sent so that the server has seen one. */
const rejecting = { ...readingSigned, tolerates: ['rejection'] } as const

/** Clause 5: signatures, if the platform rejects wrong ones. */
export const signingChecks = [
  ...checks(rejecting, 'platform.signing.whole-signature', {
    'CP-401 GET /v1/account with a single wrong digit in the signature, or its digits in another order, is rejected':
      rejects(() => [
        ['with another last digit', withOtherDigit(63)],
        ['with another first digit', withOtherDigit(0)],
        ['with another middle digit', withOtherDigit(31)],
        ['backwards', { spell: (text) => [...text].reverse().join('') }],
      ]),
    'CP-402 GET /v1/account with a truncated, extended or empty signature is rejected': rejects(() =>
      [65, 63, 62, 32, 8, 1, 0].map((length) => [
        `of ${length} digits`,
        { spell: (text) => `${text}0`.slice(0, length), ...(length === 0 && { mayCountAsUnsigned: true }) },
      ]),
    ),
  }),
  ...checks(rejecting, 'platform.signing.every-request', {
    'CP-408 HEAD and other spellings of GET of the account, and GET of the list, with a wrong signature are rejected':
      async (platform) => {
        await requireSigning(platform)
        expectNoSuccess(await platform.send({ method: 'HEAD', path: accountPath, sign: wrongDigits }))
        for (const end of ['?x=1', '/']) {
          expectNoSuccess(await platform.send({ method: 'GET', path: `${accountPath}${end}`, sign: wrongDigits }))
        }
        if ((await platform.listPath()) !== null) expectNoSuccess(await platform.listWith({ sign: wrongDigits }))
      },
    'CP-412 GET /v1/account with a wrong signature, also ten at once, is rejected if an old or malformed one or none is':
      async (platform) => {
        await arrangeAccount(platform)
        const others = [
          null,
          { spell: (text) => text.slice(1) },
          { spell: () => 'z'.repeat(64) },
          { atSeconds: nowSeconds() - 86_400 },
        ] satisfies (Signing | null)[]
        let isAnyRejected = false
        for (const sign of others) {
          const response = await platform.account({ sign })
          // Other statuses have other reasons.
          isAnyRejected ||= isClientError(response) && response.status !== 429
        }
        if (!isAnyRejected) await requireSigning(platform)
        expectNoSuccess(await platform.wronglySigned())
        const atOnce = Array.from({ length: 10 }, () => orClosed(platform.account({ sign: wrongDigits })))
        for (const response of await Promise.all(atOnce)) if (response !== null) expectNoSuccess(response)
      },
    'CP-409 GET /v1/account with a signature that is made with the API Key or an empty secret is rejected': rejects(
      ({ key }) => [
        ['made with the API Key', { secret: key }],
        ['made with an empty secret', { secret: '' }],
      ],
    ),
  }),
  ...checks(rejecting, 'platform.signing.covers-request', {
    'CP-403 GET /v1/account with a signature for another path is rejected': rejects(() =>
      [createPath, '/v1/accounts', ''].map((path) => [`for the path ${path || 'of no characters'}`, { path }]),
    ),
    'CP-404 GET /v1/account with a signature for another method is rejected': rejects(() =>
      ['POST', 'DELETE', ''].map((method) => [`for ${method || 'no method'}`, { method }]),
    ),
    'CP-405 GET /v1/account with a timestamp one second off the signed timestamp is rejected': rejects(() => [
      ['that is one second older than its timestamp', { atSeconds: nowSeconds(), sentSeconds: nowSeconds() + 1 }],
      ['that is one second newer than its timestamp', { atSeconds: nowSeconds(), sentSeconds: nowSeconds() - 1 }],
    ]),
  }),
  ...checks(rejecting, 'platform.signing.day-old', {
    'CP-406 GET /v1/account with a signature that is a day or a year old, of 1970 or of no time is rejected': rejects(
      () => [
        ['of a day ago', { atSeconds: nowSeconds() - 86_400 }],
        ['of a year ago', { atSeconds: nowSeconds() - 365 * 86_400 }],
        ['of 1970', { atSeconds: 0 }],
        ['of no time', { atSeconds: Number.NaN }],
        ['that is wrong and of no time', { ...wrongDigits, sentSeconds: Number.NaN }],
        ['that is wrong and without a timestamp', { ...wrongDigits, withoutTimestamp: true, mayCountAsUnsigned: true }],
      ],
    ),
  }),
  ...checks(rejecting, 'platform.auth.client-error', {
    'CP-411 GET /v1/account with a signature or a timestamp of other characters than digits is rejected with 4xx':
      async (platform) => {
        await requireSigning(platform)
        const wrong: readonly WrongSigning[] = [
          ['of letters', { spell: (text) => text.replaceAll(/./g, 'z') }],
          [outsideOfAscii, { spell: (text) => text.replaceAll(/./g, '\u00e9') }],
          ['of an odd number of digits', { spell: (text) => text.slice(1) }],
          ['that is empty', { spell: () => '', mayCountAsUnsigned: true }],
          ['that is wrong and of no time', { ...wrongDigits, sentSeconds: Number.NaN }],
          ['that is wrong and of the year 10^13', { ...wrongDigits, sentSeconds: 1e20 }],
        ]
        for (const [what, sign] of await thatCountAsSigned(platform, wrong)) {
          const response = await platform.account({ sign })
          // To some HTTP libraries such a header has no value.
          if (what === outsideOfAscii && isSuccess(response)) continue
          await after(`GET with a signature ${what}`, () => expectClientError(response))
        }
      },
  }),
  ...checks({ ...creatingSigned, creates: 1 }, 'platform.signing.day-old', {
    'CP-410 POST /v1/trading-accounts with a signature that is a day old is rejected': async (platform) => {
      await requireSigning(platform)
      expectNoSuccess(await platform.create(platform.draft(), { sign: { atSeconds: nowSeconds() - 86_400 } }))
    },
  }),
  ...checks({ ...creatingSigned, creates: 6, tolerates: ['no effect'] }, 'platform.signing.covers-request', {
    'CP-407 POST /v1/trading-accounts with a signature for another body is rejected': async (platform) => {
      await requireSigning(platform)
      const first = platform.draft()
      const response = await platform.create(first)
      rejectAtLimit(response)
      requireSuccess(response)
      const others = {
        'of an earlier request': () => accountText(first),
        'without a body': () => '',
        'of the body in lower case': (text: string) => text.toLowerCase(),
      }
      for (const [what, bodyOf] of Object.entries(others)) {
        const draft = platform.draft()
        const response = await platform.create(draft, { sign: { body: bodyOf(accountText(draft)) } })
        await after(`POST with a signature ${what}`, () => expectNoSuccess(response))
      }
      // Only the end differs: a server may sign the first bytes alone, or check only short bodies.
      const body = accountText(platform.draft()) + ' '.repeat(16_000)
      const sign = { body: `${body.slice(0, -1)}\n` }
      const longer = await platform.createText(body, { sign })
      await after('POST with a signature of a body with another end', () => expectNoSuccess(longer))
    },
  }),
]
