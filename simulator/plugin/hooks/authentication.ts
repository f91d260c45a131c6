import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Concern, Dropped, ErrorResponse, type Rejection } from '../../server/error-response.ts'
import type { Profile } from '../profile/profile.ts'
import type { Wording } from '../profile/wording.ts'

/** The keys in a request; undefined if the header is absent, empty or has another scheme. */
export interface Credentials {
  readonly apiKey: string | undefined
  readonly bearer: string | undefined
}

/** How requests are authenticated (clause 5). */
export interface AuthenticationHooks {
  /** Whether this request needs a key. */
  readonly asksForKey: (request: { readonly method: string; readonly path: string }) => boolean
  readonly readApiKeyHeader: (headers: IncomingHttpHeaders) => string | undefined
  readonly readAuthorizationHeader: (headers: IncomingHttpHeaders) => string | undefined
  /** The key from any other part of the request: none, by the specification. */
  readonly readKeyElsewhere: (target: string, headers: IncomingHttpHeaders) => string | undefined
  readonly sameKey: (given: string, key: string) => boolean
  readonly acceptsCredentials: (given: Credentials, isRight: (key: string) => boolean) => boolean
  /** The concerns that are reported before a missing or wrong key. */
  readonly disclosedWithoutAuth: readonly Concern[]
  readonly unauthorized: () => ErrorResponse
  /** Whether a server without a key opens its port. */
  readonly listensWhenDisabled: boolean
  /** Whether a server without a key accepts connections; false closes them at once. */
  readonly acceptsWhenDisabled: boolean
  /** How a server without a key rejects requests; undefined serves them. */
  readonly rejectWhenDisabled: () => Rejection | undefined
}

export function authenticationHooks(profile: Profile, { errorTexts, headers }: Wording): AuthenticationHooks {
  const disclosed: Readonly<Record<Concern, boolean>> = {
    path: profile['plugin.auth.before-path'] === 'after',
    method: profile['plugin.auth.before-method'] === 'after',
    body: profile['plugin.auth.before-body'] === 'after',
  }
  const challenge: Readonly<Record<string, string>> =
    profile['plugin.auth.challenge'] === 'sent' ? { 'WWW-Authenticate': headers['WWW-Authenticate'] } : {}
  const bearer = bearerPattern(profile)
  const disabled = profile['plugin.disabled.wire']
  const sameKey = keyComparison()
  const unauthorized = () => new ErrorResponse(401, errorTexts.unauthorized, challenge)
  return {
    asksForKey: () => true,
    readApiKeyHeader: (headers) => headers['x-api-key']?.toString() || undefined,
    readAuthorizationHeader: (headers) => bearer.exec(headers.authorization ?? '')?.[1],
    readKeyElsewhere: () => undefined,
    sameKey:
      profile['plugin.auth.key-characters'] === 'accepted'
        ? sameKey
        : (given, key) => bearerToken.test(key) && sameKey(given, key),
    acceptsCredentials: policies[profile['plugin.auth.two-headers']],
    disclosedWithoutAuth: (['path', 'method', 'body'] as const).filter((concern) => disclosed[concern]),
    unauthorized,
    listensWhenDisabled: disabled !== 'refused',
    acceptsWhenDisabled: disabled !== 'dropped',
    rejectWhenDisabled: () => {
      if (disabled === '401') return unauthorized()
      if (disabled === 'refused' || disabled === 'dropped') return new Dropped()
      return new ErrorResponse(Number(disabled), 'The API is disabled: the parameter API_Key is empty.')
    },
  }
}

type Policy = AuthenticationHooks['acceptsCredentials']

const policies: Readonly<Record<Profile['plugin.auth.two-headers'], Policy>> = {
  either: (given, isRight) => present(given).some(isRight),
  'x-api-key': ({ apiKey, bearer }, isRight) => isRight(apiKey ?? bearer ?? ''),
  authorization: ({ apiKey, bearer }, isRight) => isRight(bearer ?? apiKey ?? ''),
  both: (given, isRight) => present(given).length > 0 && present(given).every(isRight),
}

function present({ apiKey, bearer }: Credentials): readonly string[] {
  return [apiKey, bearer].filter((key) => key !== undefined)
}

function bearerPattern(profile: Profile): RegExp {
  const spaces = profile['plugin.auth.bearer-spaces'] === 'accepted' ? ' +' : ' '
  return new RegExp(`^Bearer${spaces}([^ ].*)$`, profile['plugin.auth.bearer-case'] === 'accepted' ? 'i' : '')
}

/**
 * Compares the header value with the key. All values of the same length take the same time. Node decodes
 * header bytes as Latin-1, while a client may have sent the key as UTF-8.
 */
function keyComparison(): AuthenticationHooks['sameKey'] {
  // The key is the same in every request.
  let known = { key: '', bytes: Buffer.from('') }
  return (given, key) => {
    if (known.key !== key) known = { key, bytes: Buffer.from(key) }
    const same = (encoding: BufferEncoding) => {
      const bytes = Buffer.from(given, encoding)
      return bytes.length === known.bytes.length && timingSafeEqual(bytes, known.bytes)
    }
    return key !== '' && (same('utf8') || same('latin1'))
  }
}

/** What RFC 6750 allows as a Bearer token. */
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/
