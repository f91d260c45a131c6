import { type Members, withMembers } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import { CodedErrorResponse } from '../coded-error-response.ts'
import type { PlatformHooks, PlatformOverride } from '../hooks/hooks.ts'
import type { PlatformDefect } from './defect.ts'
import { withoutBody, withoutList } from './masks.ts'

/** A server that refuses some of the requests that it should serve, as if the key were wrong. */
function lockingOut({ errorBody }: PlatformHooks) {
  const { body, type } = errorBody({ status: 401, code: 'invalid_api_key', message: 'The API key is wrong.' })
  return { status: 401, body, headers: { 'Content-Type': type } }
}

const withoutHeader = ({ headers }: { headers: { authorization?: string | undefined } }) =>
  headers.authorization === undefined

/** A server that stores secrets unhashed, and discloses the last one. */
function knowingSecret(
  change: (hooks: PlatformHooks, secret: () => Members) => Partial<PlatformHooks>,
): PlatformOverride {
  return (hooks) => {
    let last = ''
    return {
      hashSecret: (apiSecret) => {
        last = apiSecret
        return hooks.hashSecret(apiSecret)
      },
      ...change(hooks, () => ({ api_secret: last })),
    }
  }
}

/** Clause 5: which keys are valid, what happens without a valid key, and where a secret must not be shown. */
export const keyDefects: readonly PlatformDefect[] = [
  {
    id: 'platform.key.account-open',
    breaks: ['platform.auth.account-needs-key'],
    summary: 'GET of the account requires no key.',
    override: () => ({ asksForKey: (received) => !(withoutHeader(received) && received.path.endsWith('/account')) }),
  },
  {
    id: 'platform.key.only-checked-if-sent',
    breaks: ['platform.auth.account-needs-key', 'platform.auth.create-needs-key'],
    summary: 'A key is checked only if it is sent.',
    override: () => ({ asksForKey: (received) => !withoutHeader(received) }),
  },
  {
    id: 'platform.key.any-will-do',
    breaks: ['platform.auth.account-needs-key', 'platform.auth.create-needs-key'],
    summary: 'Any key gives access to the account of the first key.',
    override: () => ({ sameKey: () => true }),
  },
  {
    id: 'platform.key.create-open',
    breaks: ['platform.auth.create-needs-key'],
    summary: 'POST requires no key.',
    override: () => ({ asksForKey: ({ method }) => method !== 'POST' }),
  },
  {
    id: 'platform.key.checked-after-the-creation',
    breaks: ['platform.auth.create-needs-key'],
    maskedBy: withoutList,
    summary: 'A creation without a key returns 401, but is made.',
    override: (hooks) => {
      const unauthenticated = new WeakSet<object>()
      return {
        asksForKey: (received) => {
          if (received.method !== 'POST' || !withoutHeader(received)) return hooks.asksForKey(received)
          unauthenticated.add(received.headers)
          return false
        },
        finish: (response, { headers }) => (unauthenticated.has(headers) ? lockingOut(hooks) : response),
      }
    },
  },
  {
    id: 'platform.key.creation-without-key-answered-201',
    breaks: ['platform.auth.create-needs-key'],
    summary: 'A creation without a key returns 201, but creates nothing.',
    override: () => ({
      finish: (response, received) =>
        received.method === 'POST' && withoutHeader(received) ? { ...response, status: 201 } : response,
    }),
  },
  {
    id: 'platform.key.compared-up-to-its-own-length',
    breaks: ['platform.auth.account-needs-key'],
    summary: 'A key that begins with the correct key is accepted.',
    override: () => ({ sameKey: (given, key) => given.startsWith(key) }),
  },
  {
    id: 'platform.key.compared-up-to-the-given-length',
    breaks: ['platform.auth.account-needs-key'],
    summary: 'A prefix of the key is accepted.',
    override: () => ({ sameKey: (given, key) => key.startsWith(given) }),
  },
  {
    id: 'platform.key.case-ignored',
    breaks: ['platform.auth.account-needs-key'],
    summary: 'The key is case-insensitive.',
    override: () => ({ sameKey: (given, key) => given.toLowerCase() === key.toLowerCase() }),
  },
  {
    id: 'platform.key.last-letter-not-compared',
    breaks: ['platform.auth.account-needs-key'],
    summary: 'The last character of the key is not compared.',
    override: () => ({
      sameKey: (given, key) => given.length === key.length && given.slice(0, -1) === key.slice(0, -1),
    }),
  },
  {
    id: 'platform.key.bearer-alone-is-enough',
    breaks: ['platform.auth.account-needs-key'],
    summary: 'Bearer without a key is accepted.',
    override: () => ({ asksForKey: ({ headers }) => headers.authorization?.trim().toLowerCase() !== 'bearer' }),
  },
  {
    id: 'platform.key.read-from-the-query',
    breaks: ['platform.auth.account-needs-key'],
    maskedBy: [{ answers: { 'platform.path.query': '400' } }],
    summary: 'The key is also accepted in the query string.',
    override: ({ readKeyElsewhere }) => ({
      readKeyElsewhere: (received) =>
        readKeyElsewhere(received) ?? [...new URLSearchParams(received.query).values()].find((value) => value !== ''),
    }),
  },
  {
    id: 'platform.key.read-from-a-cookie',
    breaks: ['platform.auth.account-needs-key'],
    summary: 'The key is also accepted in a cookie.',
    override: ({ readKeyElsewhere }) => ({
      readKeyElsewhere: (received) => readKeyElsewhere(received) ?? /=([^;]+)/.exec(received.headers.cookie ?? '')?.[1],
    }),
  },
  {
    id: 'platform.key.any-scheme',
    breaks: ['platform.auth.account-needs-key'],
    summary: 'The last word of Authorization is the key, regardless of the scheme.',
    override: () => ({ readBearer: ({ authorization }) => authorization?.split(' ').at(-1) }),
  },
  {
    id: 'platform.key.without-scheme',
    breaks: ['platform.auth.account-needs-key'],
    summary: 'Authorization with only the key is accepted.',
    override: ({ readBearer }) => ({
      readBearer: (headers) => readBearer(headers) ?? /^\S+$/.exec(headers.authorization ?? '')?.[0],
    }),
  },
  {
    id: 'platform.key.scheme-case-sensitive',
    breaks: ['platform.auth.case-insensitive'],
    summary: 'The scheme Bearer is case-sensitive.',
    override: ({ readBearer }) => ({
      readBearer: (headers) => (headers.authorization?.startsWith('Bearer') ? readBearer(headers) : undefined),
    }),
  },
  {
    id: 'platform.key.header-name-case-sensitive',
    breaks: ['platform.auth.case-insensitive'],
    summary: 'The header name Authorization is case-sensitive.',
    override: (hooks) => ({
      finish: (response, { rawHeaders }) =>
        rawHeaders.some((name) => /^authorization$/i.test(name)) && !rawHeaders.includes('Authorization')
          ? lockingOut(hooks)
          : response,
    }),
  },
  {
    id: 'platform.key.wrong-answered-500',
    breaks: ['platform.auth.client-error'],
    summary: 'A wrong key returns 500.',
    override: () => ({ wrongKey: () => new ErrorResponse(500, 'Internal server error.') }),
  },
  {
    id: 'platform.key.missing-redirected',
    breaks: ['platform.auth.client-error'],
    summary: 'A request without a key is redirected to a login form.',
    override: () => ({ missingKey: () => new ErrorResponse(302, 'Log in.', { Location: '/login' }) }),
  },
  {
    id: 'platform.key.locked-after-one-mistake',
    breaks: ['platform.auth.works-after-refusal'],
    summary: 'After one wrong key every key is rejected.',
    override: ({ wrongKey, judgeKey }) => {
      let locked = false
      return {
        wrongKey: (given) => {
          locked = true
          return wrongKey(given)
        },
        judgeKey: (key, nowMs) => (locked ? wrongKey('') : judgeKey(key, nowMs)),
      }
    },
  },
  {
    id: 'platform.secret.in-the-account',
    breaks: ['platform.secret.not-shown'],
    summary: 'The account contains the secret.',
    override: knowingSecret(({ accountBody }, secret) => ({
      accountBody: (account) => withMembers(accountBody(account), secret()),
    })),
  },
  {
    id: 'platform.secret.in-the-creation',
    breaks: ['platform.secret.not-shown'],
    maskedBy: withoutBody,
    summary: 'The response to a creation contains the secret of its key.',
    override: knowingSecret(({ createdBody }, secret) => ({
      createdBody: (account) => {
        const body = createdBody(account)
        return body === undefined ? body : withMembers(body, secret())
      },
    })),
  },
  {
    id: 'platform.secret.in-the-list',
    breaks: ['platform.secret.not-shown'],
    maskedBy: withoutList,
    summary: 'Each account of the list contains the secret of its key.',
    override: knowingSecret(({ listedBody }, secret) => ({
      listedBody: (account) => withMembers(listedBody(account), secret()),
    })),
  },
  {
    id: 'platform.secret.wrong-key-repeated',
    breaks: ['platform.secret.not-repeated'],
    summary: 'The error for a wrong key repeats the key.',
    maskedBy: [{ answers: { 'platform.auth.secret-as-bearer': 'accepted' } }],
    override: ({ wrongKey }) => ({
      wrongKey: (given) => {
        const { status, headers } = wrongKey(given)
        return new CodedErrorResponse(status, 'invalid_api_key', `The API key ${given} is wrong.`, headers)
      },
    }),
  },
  {
    id: 'platform.secret.unknown-path-repeated',
    breaks: ['platform.secret.not-repeated'],
    summary: 'The error for an unknown path repeats the URL with its query string.',
    override: ({ finish }) => ({
      finish: (response, request) => {
        const finished = finish(response, request)
        const url = request.url ?? ''
        return finished.status >= 400 && url.includes('?')
          ? { ...finished, headers: { ...finished.headers, 'X-Request-Url': url } }
          : finished
      },
    }),
  },
]
