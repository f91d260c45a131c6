import { changesResponse, textOf, withText } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { PlatformDefect } from './defect.ts'
import { without405, withPlainErrors } from './masks.ts'

/** Clauses 1, 4.1, 7 and 9: errors, the Content-Type of a response, and the version in the path. */
export const errorDefects: readonly PlatformDefect[] = [
  {
    id: 'platform.path.unknown-answered-200',
    breaks: ['platform.path.unknown'],
    summary: 'An unknown path returns an error with the status 200.',
    override: () => ({ unknownEndpoint: () => new ErrorResponse(200, 'Unknown endpoint.') }),
  },
  {
    id: 'platform.path.unknown-answered-500',
    breaks: ['platform.path.unknown'],
    summary: 'An unknown path returns 500.',
    override: () => ({ unknownEndpoint: () => new ErrorResponse(500, 'Internal server error.') }),
  },
  {
    id: 'platform.method.allow-left-out',
    breaks: ['platform.method.allow'],
    maskedBy: without405,
    summary: 'A 405 response has no Allow header.',
    override: ({ methodNotAllowed }) => ({
      methodNotAllowed: (method, allow) => {
        const { status, message } = methodNotAllowed(method, allow)
        return new ErrorResponse(status, message)
      },
    }),
  },
  {
    id: 'platform.errors.comma-too-many',
    breaks: ['platform.errors.json'],
    maskedBy: withPlainErrors,
    summary: 'The JSON of the error for a missing or wrong key has a trailing comma.',
    override: ({ errorBody }) => ({
      errorBody: (fault) => {
        const { body, type } = errorBody(fault)
        if (fault.status !== 401 && fault.status !== 403) return { body, type }
        return { body: Buffer.from(Buffer.from(body).toString().replace(/}$/, ',}')), type }
      },
    }),
  },
  {
    id: 'platform.errors.labelled-as-html',
    breaks: ['platform.errors.json'],
    maskedBy: withPlainErrors,
    summary: 'Errors other than that for a missing or wrong key have Content-Type text/html.',
    override: ({ errorBody }) => ({
      errorBody: (fault) => ({ ...errorBody(fault), ...(fault.status !== 401 && { type: 'text/html' }) }),
    }),
  },
  {
    id: 'platform.account.labelled-as-text',
    breaks: ['platform.json.content-type'],
    summary: 'The account has Content-Type text/plain.',
    override: changesResponse(
      (status, { url = '' }) => status === 200 && /\/account$/i.test(url),
      (response) => withText(response, textOf(response)),
    ),
  },
  {
    id: 'platform.version.second-only',
    breaks: ['platform.version.in-path'],
    summary: 'The API is served only below /v2.',
    override: () => ({ isVersion: (segment) => segment === 'v2' }),
  },
  {
    id: 'platform.version.any',
    breaks: ['platform.version.unknown'],
    summary: 'Every version number in the path is treated as v1.',
    override: () => ({ isVersion: (segment) => /^v\d+$/i.test(segment) }),
  },
]
