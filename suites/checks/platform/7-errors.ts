import { expectThat, failure } from '../../assertions/expect.ts'
import { NotApplicable } from '../../assertions/failure.ts'
import { isObject } from '../../client/json.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { PlatformCheck } from '../../session/check.ts'
import { accountPath, type PlatformRequest } from '../../session/platform.ts'
import { arrangeAccount, expectAccount, expectClientError, expectNoSuccess } from '../../session/platform-expect.ts'
import { checks, reading } from './scopes.ts'

/** A path that no platform has. */
export const unknownPath = '/v1/no-such-path-of-anybody'

function typeOf({ headers }: HttpResponse): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
}

/** Clauses 7 and 9: errors, whose form is not specified, and the version in the path. */
export const platformErrorChecks: readonly PlatformCheck[] = [
  ...checks(reading, 'platform.path.unknown', {
    'CP-501 GET of an unknown path of the platform returns 4xx': async (platform) => {
      await arrangeAccount(platform)
      expectClientError(await platform.send({ method: 'GET', path: unknownPath }))
    },
  }),
  ...checks({ ...reading, tolerates: ['rejection'] }, 'platform.method.allow', {
    'CP-502 Every 405 response from the platform has an Allow header': async (platform) => {
      const methods: readonly PlatformRequest['method'][] = platform.mayTryAnything
        ? ['HEAD', 'OPTIONS', 'POST', 'DELETE']
        : ['HEAD', 'OPTIONS']
      const responses: HttpResponse[] = []
      for (const method of methods) responses.push(await platform.send({ method, path: accountPath }))
      const rejected = responses.filter(({ status }) => status === 405)
      if (rejected.length === 0) throw new NotApplicable('no method is answered with 405')
      const [bare] = rejected.filter(({ headers }) => headers.allow === undefined)
      if (bare === undefined) return
      throw failure('header.allow-missing', { actual: bare.headers, difference: null, response: bare })
    },
  }),
  ...checks(reading, 'platform.errors.json', {
    'CP-503 Every platform error response declares JSON if its body is a JSON object, and only then': async (
      platform,
    ) => {
      const wrongKey = await platform.account({ key: 'not-the-key' })
      const unknown = await platform.send({ method: 'GET', path: unknownPath })
      for (const response of [wrongKey, unknown].filter(({ status }) => status >= 400)) {
        const type = typeOf(response)
        const isDeclared = type === 'application/json' || type.endsWith('+json')
        const isValid = !isDeclared || response.bytes.length === 0 || response.json !== undefined
        expectThat(isValid, 'body.not-json', { difference: response.status, response })
        expectThat(isDeclared || !isObject(response.json), 'header.content-type-hides-json', {
          actual: type,
          difference: type,
          response,
        })
      }
    },
  }),
  ...checks(reading, 'platform.version.in-path', {
    'CP-901 GET /v1/account returns the account under the path prefix /v1': async (platform) => {
      expectAccount(await platform.account())
    },
  }),
  ...checks(reading, 'platform.version.unknown', {
    'CP-903 GET /v99/account does not succeed': async (platform) => {
      await arrangeAccount(platform)
      expectNoSuccess(await platform.send({ method: 'GET', path: '/v99/account' }))
    },
  }),
]
