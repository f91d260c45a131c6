import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Dropped, ErrorResponse, type Rejection } from '../../server/response.ts'
import type { Profile } from '../profile/profile.ts'
import type { Wording } from '../profile/wording.ts'

/** The keys in a request; undefined if the header is absent, ignored because it is empty, or has another scheme. */
export interface Credentials {
  readonly apiKey: string | undefined
  readonly bearer: string | undefined
}

/** How requests are authenticated (clause 5). */
export function authenticationHooks(profile: Profile, { errorTexts, headers }: Wording) {
  const challenge: Readonly<Record<string, string>> =
    profile['plugin.auth.challenge'] === 'sent' ? { 'WWW-Authenticate': headers['WWW-Authenticate'] } : {}
  const spaces = profile['plugin.auth.bearer-spaces'] === 'accepted' ? ' +' : ' '
  const anyCase = profile['plugin.auth.bearer-case'] === 'accepted' ? 'i' : ''
  const bearer = new RegExp(`^Bearer${spaces}([^ ].*)$`, anyCase)
  // If both keys must be correct, an empty one counts as a wrong one.
  const emptyKey = profile['plugin.auth.two-headers'] === 'both' ? '' : undefined
  const disabled = profile['plugin.disabled.wire']
  const unauthorized = (): ErrorResponse => new ErrorResponse(401, errorTexts.unauthorized, challenge)
  return {
    readApiKeyHeader: (headers: IncomingHttpHeaders): string | undefined =>
      headers['x-api-key'] === '' ? emptyKey : headers['x-api-key']?.toString(),
    readAuthorizationHeader: ({ authorization }: IncomingHttpHeaders): string | undefined =>
      authorization === '' ? emptyKey : bearer.exec(authorization ?? '')?.[1],
    /** The key from any other part of the request. The specification allows none. */
    readKeyElsewhere: (_target: string, _headers: IncomingHttpHeaders): string | undefined => undefined,
    sameKey: (given: string, key: string): boolean =>
      (profile['plugin.auth.key-characters'] === 'accepted' || bearerToken.test(key)) && sameKey(given, key),
    acceptsCredentials: policies[profile['plugin.auth.two-headers']],
    unauthorized,
    /** Whether a server without a key opens its port. */
    listensWhenDisabled: disabled !== 'refused',
    /** Whether a server without a key accepts connections; false closes them at once. */
    acceptsWhenDisabled: disabled !== 'dropped',
    /** How a server without a key rejects requests; undefined serves them. */
    rejectWhenDisabled: (): Rejection | undefined => {
      if (disabled === '401') return unauthorized()
      if (disabled === 'refused' || disabled === 'dropped') return new Dropped()
      return new ErrorResponse(Number(disabled), 'The API is disabled: the parameter API_Key is empty.')
    },
  }
}

type Policy = (given: Credentials, isRight: (key: string) => boolean) => boolean

const policies: Readonly<Record<Profile['plugin.auth.two-headers'], Policy>> = {
  either: (given, isRight) => present(given).some(isRight),
  'x-api-key': ({ apiKey, bearer }, isRight) => isRight(apiKey ?? bearer ?? ''),
  authorization: ({ apiKey, bearer }, isRight) => isRight(bearer ?? apiKey ?? ''),
  both: (given, isRight) => present(given).length > 0 && present(given).every(isRight),
}

function present({ apiKey, bearer }: Credentials): readonly string[] {
  return [apiKey, bearer].filter((key) => key !== undefined)
}

/**
 * Compares the header value with the key. All values of the same length take the same time. Node decodes header bytes
 * as Latin-1, but a client may have sent the key as UTF-8.
 */
function sameKey(given: string, key: string): boolean {
  const expected = Buffer.from(key)
  const same = (encoding: BufferEncoding) => {
    const bytes = Buffer.from(given, encoding)
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  }
  return key !== '' && (same('utf8') || same('latin1'))
}

/** The characters that RFC 6750 allows in a Bearer token. */
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/
