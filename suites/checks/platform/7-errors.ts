import { expectThat } from '../../assertions/expect.ts'
import { NotApplicable } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { PlatformCheck } from '../../session/check.ts'
import { accountPath, createPath, type PlatformRequest } from '../../session/platform.ts'
import { arrangeAccount, expectClientError, isMembers } from '../../session/platform-expect.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { reading } from './scopes.ts'

/** A path that no platform has. */
export const unknownPath = '/v1/no-such-path-of-anybody'

/** One error response of each kind that this target allows. */
async function errors(platform: PlatformSession): Promise<readonly HttpResponse[]> {
  const requests: readonly PlatformRequest[] = [
    { method: 'GET', path: accountPath, key: null },
    { method: 'GET', path: accountPath, key: 'not-the-key' },
    { method: 'GET', path: unknownPath },
    { method: 'OPTIONS', path: accountPath },
    ...(platform.mayTryAnything
      ? ([
          { method: 'POST', path: createPath, body: '{' },
          { method: 'POST', path: createPath, body: '[]' },
          { method: 'POST', path: createPath, body: '{}' },
          { method: 'DELETE', path: accountPath },
        ] as const)
      : []),
  ]
  const responses: HttpResponse[] = []
  for (const request of requests) responses.push(await platform.send(request))
  return responses.filter(({ status }) => status >= 400)
}

function typeOf({ headers }: HttpResponse): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
}

function isJsonType(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json')
}

/** Clause 7: errors, whose form is not specified. */
export const platformErrorChecks: readonly PlatformCheck[] = [
  {
    id: 'CP-501',
    requirement: 'platform.path.unknown',
    title: 'GET of an unknown path of the platform returns 4xx',
    ...reading,
    async run({ platform }) {
      await arrangeAccount(platform)
      for (const path of [unknownPath, `${unknownPath}/1`]) {
        expectClientError(await platform.send({ method: 'GET', path }))
      }
    },
  },
  {
    id: 'CP-502',
    requirement: 'platform.method.allow',
    title: 'Every 405 response from the platform has an Allow header',
    ...reading,
    async run({ platform }) {
      const methods = [
        'HEAD',
        'OPTIONS',
        ...(platform.mayTryAnything ? (['POST', 'PUT', 'PATCH', 'DELETE'] as const) : []),
      ]
      const responses: HttpResponse[] = []
      for (const method of methods as PlatformRequest['method'][]) {
        responses.push(await platform.send({ method, path: accountPath }))
      }
      if (platform.mayTryAnything) responses.push(await platform.send({ method: 'DELETE', path: createPath }))
      const rejected = responses.filter(({ status }) => status === 405)
      if (rejected.length === 0) throw new NotApplicable('no method is answered with 405')
      for (const response of rejected) {
        expectThat(response.headers.allow !== undefined, 'header.allow-missing', {
          actual: response.headers,
          difference: null,
          response,
        })
      }
    },
  },
  {
    id: 'CP-503',
    requirement: 'platform.errors.valid-json',
    title: 'Every platform error response that declares JSON contains valid JSON',
    ...reading,
    async run({ platform }) {
      for (const response of await errors(platform)) {
        const isValid = !isJsonType(typeOf(response)) || response.bytes.length === 0 || response.json !== undefined
        expectThat(isValid, 'body.not-json', { difference: response.status, response })
      }
    },
  },
  {
    id: 'CP-504',
    requirement: 'platform.errors.labelled',
    title: 'Every platform error response with a JSON object declares a JSON Content-Type',
    ...reading,
    async run({ platform }) {
      for (const response of await errors(platform)) {
        const isValid = !isMembers(response.json) || isJsonType(typeOf(response))
        expectThat(isValid, 'header.content-type-hides-json', {
          actual: typeOf(response),
          difference: typeOf(response),
          response,
        })
      }
    },
  },
]
