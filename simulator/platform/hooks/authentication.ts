import type { IncomingHttpHeaders } from 'node:http'
import type { Concern, ErrorResponse } from '../../server/error-response.ts'
import type { ReceivedRequest } from '../../server/receive.ts'
import { CodedErrorResponse } from '../coded-error-response.ts'
import { hashSecret, type KeyRecord } from '../keys/key-pair.ts'
import { sameText } from '../keys/signature.ts'
import type { PlatformProfile } from '../profile/profile.ts'

/** How requests are authenticated (clause 5). */
export interface AuthenticationHooks {
  /** Whether this request needs a key. */
  readonly asksForKey: (received: ReceivedRequest) => boolean
  /** The key in Authorization; undefined if the header is absent, empty or has another scheme. */
  readonly readBearer: (headers: IncomingHttpHeaders) => string | undefined
  /** The key in any other part of the request. */
  readonly readKeyElsewhere: (received: ReceivedRequest) => string | undefined
  readonly sameKey: (given: string, key: string) => boolean
  /** The key whose secret was sent instead, if that is accepted. */
  readonly findBySecret: (given: string, keys: readonly KeyRecord[]) => KeyRecord | undefined
  /** The error response to a known key that is not valid now; undefined if it is valid. */
  readonly judgeKey: (key: KeyRecord, nowMs: number) => ErrorResponse | undefined
  /** The stored hash of a secret. */
  readonly hashSecret: (apiSecret: string) => string
  /** The concerns that are reported before a missing or wrong key. */
  readonly disclosedWithoutAuth: readonly Concern[]
  readonly missingKey: () => ErrorResponse
  readonly wrongKey: (given: string) => ErrorResponse
  readonly rejectedAddress: () => ErrorResponse
}

export function authenticationHooks(profile: PlatformProfile): AuthenticationHooks {
  const disclosed: Readonly<Record<Concern, boolean>> = {
    path: profile['platform.auth.before-path'] === 'after',
    method: profile['platform.auth.before-method'] === 'after',
    body: profile['platform.auth.before-body'] === 'after',
  }
  const challenge: Readonly<Record<string, string>> =
    profile['platform.auth.challenge'] === 'sent' ? { 'WWW-Authenticate': 'Bearer' } : {}
  const wrongStatus = Number(profile['platform.errors.wrong-key'])
  const reject = (status: number, code: string, message: string) =>
    new CodedErrorResponse(status, code, message, challenge)
  const wrongKey = () => reject(wrongStatus, 'invalid_api_key', 'The API key is wrong.')
  const spaces = profile['platform.auth.bearer-spaces'] === 'accepted' ? ' +' : ' '
  const bearer = new RegExp(`^Bearer${spaces}([^ ].*)$`, 'i')
  return {
    asksForKey: () => true,
    readBearer: (headers) => bearer.exec(headers.authorization ?? '')?.[1],
    readKeyElsewhere: ({ headers }) =>
      profile['platform.auth.x-api-key'] === 'accepted' ? headers['x-api-key']?.toString() : undefined,
    sameKey: sameText,
    findBySecret: (given, keys) =>
      profile['platform.auth.secret-as-bearer'] === 'accepted'
        ? keys.find(({ secretHash }) => sameText(hashSecret(given), secretHash))
        : undefined,
    judgeKey: ({ expiresAt, revokedAt }, nowMs) => {
      if (revokedAt !== null) return wrongKey()
      const expired = expiresAt !== null && nowMs >= Date.parse(expiresAt)
      return expired ? reject(wrongStatus, 'expired_api_key', 'The API key has expired.') : undefined
    },
    hashSecret,
    disclosedWithoutAuth: (['path', 'method', 'body'] as const).filter((concern) => disclosed[concern]),
    missingKey: () =>
      reject(Number(profile['platform.errors.missing-key']), 'invalid_api_key', 'The API key is missing.'),
    wrongKey,
    rejectedAddress: () => reject(wrongStatus, 'ip_not_whitelisted', 'This address may not use the API.'),
  }
}
