import { expectThat } from '../../assertions/expect.ts'
import { isObject } from '../../client/json.ts'
import type { HttpResponse } from '../../client/response.ts'
import { accountText } from '../../session/account.ts'
import { expectAllow } from '../../session/allow.ts'
import { accountPath, createPath, type PlatformRequest } from '../../session/platform.ts'
import { arrangeAccount, expectAccount, expectClientError, expectNoSuccess } from '../../session/platform-expect.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { checks, disposableOnly, reading } from './scopes.ts'

export const unknownPath = '/v1/no-such-path-of-anybody'

type Asked = readonly [method: PlatformRequest['method'], path: string]

const harmless: readonly Asked[] = [
  ['HEAD', accountPath],
  ['OPTIONS', accountPath],
]
const changing: readonly Asked[] = [
  ['POST', accountPath],
  ['DELETE', accountPath],
  ['PATCH', createPath],
  ['DELETE', createPath],
]

export async function platformErrors(platform: PlatformSession): Promise<readonly HttpResponse[]> {
  const responses = [
    await platform.account({ key: 'not-the-key' }),
    await platform.send({ method: 'GET', path: `${unknownPath}%22` }),
    await platform.send({ method: 'OPTIONS', path: createPath }),
  ]
  return responses.filter(isError)
}

/** Error responses that may repeat a quotation mark. */
export async function creationErrors(platform: PlatformSession): Promise<readonly HttpResponse[]> {
  const wrong = [{ leverage: -1, name: 'a"b' }, { currency: 'a"b' }]
  const bodies = wrong.map((changes) => accountText(platform.draft(), changes))
  const responses: HttpResponse[] = []
  for (const body of [...bodies, '{"a']) {
    responses.push(await platform.createText(body))
  }
  return responses.filter(isError)
}

const areTypesRight = (sendErrors: typeof platformErrors) => async (platform: PlatformSession) => {
  for (const response of await sendErrors(platform)) {
    const isDeclared = isJsonType(typeOf(response))
    const isValid = !isDeclared || response.bytes.length === 0 || response.json !== undefined
    expectThat(isValid, 'body.not-json', { difference: response.status, response })
    expectThat(isDeclared || !isObject(response.json), 'header.content-type-hides-json', {
      actual: typeOf(response),
      difference: typeOf(response),
      response,
    })
  }
}

const isError = ({ status }: HttpResponse) => status >= 400

const typeOf = ({ headers }: HttpResponse): string => headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''

const isJsonType = (type: string): boolean => type === 'application/json' || type.endsWith('+json')

/** Clauses 7 and 9: errors, whose form is not specified, and the version in the path. */
export const platformErrorChecks = [
  ...checks(reading, 'platform.path.unknown', {
    'CP-501 GET of an unknown, a deeper or a malformed path of the platform returns 4xx': async (platform) => {
      await arrangeAccount(platform)
      for (const path of [unknownPath, `${accountPath}/x`, '/v1/a/b/c/d/e/f/g/h', '/v1/%zz']) {
        expectClientError(await platform.send({ method: 'GET', path }))
      }
    },
  }),
  ...checks({ ...reading, tolerates: ['rejection'] }, 'platform.method.allow', {
    'CP-502 Every 405 response from the platform has Allow with the documented method, not with the rejected one':
      async (platform) => {
        const responses = []
        for (const [method, path] of platform.mayTryAnything ? [...harmless, ...changing] : harmless) {
          const documented = [path === accountPath ? 'GET' : 'POST']
          responses.push({ method, path, documented, response: await platform.send({ method, path }) })
        }
        await expectAllow(responses)
      },
  }),
  ...checks(reading, 'platform.errors.json', {
    'CP-503 Every platform error response declares JSON if its body is a JSON object, and only then':
      areTypesRight(platformErrors),
  }),
  ...checks(disposableOnly, 'platform.errors.json', {
    'CP-504 An error response to a creation declares JSON if its body is a JSON object, and only then':
      areTypesRight(creationErrors),
  }),
  ...checks(reading, 'platform.version.in-path', {
    'CP-901 GET /v1/account returns the account under the path prefix /v1': async (platform) => {
      expectAccount(await platform.account())
    },
  }),
  ...checks({ ...reading, tolerates: ['rejection'] }, 'platform.version.unknown', {
    'CP-903 GET of the account and the list below /v99 and /v199 does not return JSON with 2xx': async (platform) => {
      await arrangeAccount(platform)
      for (const known of [accountPath, await platform.listPath()]) {
        // The path of the list is stated by the user, and may have no version.
        if (!known?.startsWith('/v1/')) continue
        // A server that compares the beginning of the path takes /v199 for /v1.
        for (const version of ['/v99', '/v199']) {
          const response = await platform.send({ method: 'GET', path: known.replace('/v1', version) })
          // A website may respond at any other path.
          if (response.json !== undefined) expectNoSuccess(response)
        }
      }
    },
  }),
]
