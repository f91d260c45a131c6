import type { IncomingHttpHeaders } from 'node:http'
import type { ReceivedRequest } from '../../server/receive.ts'
import type { ErrorResponse } from '../../server/response.ts'
import { CodedErrorResponse } from '../coded-error-response.ts'
import { hashSecret, type KeyRecord } from '../keys/key-pair.ts'
import { sameText } from '../keys/signature.ts'
import type { PlatformProfile } from '../profile/profile.ts'

/** How requests are authenticated (clause 5). */
export function authenticationHooks(profile: PlatformProfile) {
  const challenge: Readonly<Record<string, string>> =
    profile['platform.auth.challenge'] === 'sent' ? { 'WWW-Authenticate': 'Bearer' } : {}
  const wrongStatus = Number(profile['platform.errors.wrong-key'])
  const reject = (status: number, code: string, message: string): ErrorResponse =>
    new CodedErrorResponse(status, code, message, challenge)
  const wrongKey = (_given: string): ErrorResponse => reject(wrongStatus, 'invalid_api_key', 'The API key is wrong.')
  const spaces = profile['platform.auth.bearer-spaces'] === 'accepted' ? ' +' : ' '
  const anyCase = profile['platform.auth.bearer-case'] === 'accepted' ? 'i' : ''
  const bearer = new RegExp(`^Bearer${spaces}([^ ].*)$`, anyCase)
  return {
    /** The key in Authorization; undefined if the header is absent, empty or has another scheme. */
    readBearer: (headers: IncomingHttpHeaders): string | undefined => bearer.exec(headers.authorization ?? '')?.[1],
    /** The key from any other part of the request. */
    readKeyElsewhere: ({ headers }: ReceivedRequest): string | undefined =>
      profile['platform.auth.x-api-key'] === 'accepted' ? headers['x-api-key']?.toString() : undefined,
    sameKey: sameText,
    /** The key whose secret was sent instead, if the profile accepts that. */
    findBySecret: (given: string, keys: readonly KeyRecord[]): KeyRecord | undefined =>
      profile['platform.auth.secret-as-bearer'] === 'accepted'
        ? keys.find(({ secretHash }) => sameText(hashSecret(given), secretHash))
        : undefined,
    /** The error response to a known key that is not valid now; undefined if it is valid. */
    judgeKey: ({ expiresAt, revokedAt, apiKey }: KeyRecord, nowMs: number): ErrorResponse | undefined => {
      if (revokedAt !== null) return wrongKey(apiKey)
      const expired = expiresAt !== null && nowMs >= Date.parse(expiresAt)
      return expired ? reject(wrongStatus, 'expired_api_key', 'The API key has expired.') : undefined
    },
    hashSecret,
    missingKey: (): ErrorResponse =>
      reject(Number(profile['platform.errors.missing-key']), 'invalid_api_key', 'The API key is missing.'),
    wrongKey,
    rejectedAddress: (): ErrorResponse =>
      reject(wrongStatus, 'ip_not_whitelisted', 'This address may not use the API.'),
  }
}
