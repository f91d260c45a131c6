import { METHODS } from 'node:http'
import { after } from '../../defect-parts/events.ts'
import { fail, is, textBecomes, withHeader } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/response.ts'
import { masked, maskedRows, type PlatformDefect, rows } from './defect.ts'
import { without405, withoutList, withPlainErrors } from './masks.ts'
import { argument, instead, on, responds, result } from './overrides.ts'

/** Clauses 1, 4.1, 7 and 9: errors, the Content-Type of a response, and the version in the path. */
export const errorDefects: readonly PlatformDefect[] = [
  ...rows('platform.path.unknown', {
    'platform.path.unknown-returns-200 An unknown path returns an error with the status 200.': () =>
      instead('unknownEndpoint', () => new ErrorResponse(200, 'Unknown endpoint.')),
    'platform.path.malformed-escape-returns-500 A malformed escape in a path returns 500.': () =>
      argument('splitTarget')((target) => (/%(?![\da-f]{2})/i.test(target) ? fail() : target)),
    'platform.path.unknown-returns-500 An unknown path returns 500.': instead('unknownEndpoint', fail),
  }),
  ...maskedRows(without405, 'platform.method.allow', {
    'platform.method.allow-missing A 405 response has no Allow header.': () =>
      result('methodNotAllowed')(({ status, message }) => new ErrorResponse(status, message)),
    'platform.method.allow-lists-every-method Allow lists every method that the server knows, on every path.': () =>
      result('methodNotAllowed')(
        ({ status, message }) => new ErrorResponse(status, message, { Allow: METHODS.join(', ') }),
      ),
  }),
  ...maskedRows(withPlainErrors, 'platform.errors.json', {
    'platform.errors.trailing-comma The JSON of the error for a missing or wrong key has a trailing comma.': () =>
      result('errorBody')(({ body, type }, [{ status }]) =>
        status === 401 || status === 403
          ? { type, body: Buffer.from(`${Buffer.from(body)}`.replace(/}$/, ',}')) }
          : { type, body },
      ),
    'platform.errors.cut-after-invalid-json After a body that is not JSON, errors lack their last character.': after(
      on('parseJson', (text) => !text.endsWith('}')),
      result('errorBody')(({ body, type }) => ({ type, body: body.subarray(0, -1) })),
    ),
    'platform.errors.labelled-as-html Errors other than that for a missing or wrong key have Content-Type text/html.':
      result('errorBody')((right, [{ status }]) => ({ ...right, ...(status !== 401 && { type: 'text/html' }) })),
  }),
  ...rows('platform.json.content-type', {
    'platform.account.labelled-as-plain-text The account has Content-Type text/plain.': () =>
      responds(is(200, /\/account$/i), withHeader('Content-Type', 'text/plain')),
  }),
  ...rows('platform.json.no-byte-order-mark', {
    'platform.account.byte-order-mark The account begins with a byte order mark.': responds(
      is(200, /\/account$/i),
      textBecomes((text) => `\ufeff${text}`),
    ),
  }),
  ...maskedRows(withoutList, 'platform.json.no-byte-order-mark', {
    'platform.list.byte-order-mark The list begins with a byte order mark.': responds(
      is(200, /^GET .*accounts(\/list)?$/i),
      textBecomes((text) => `\ufeff${text}`),
    ),
  }),
  ...rows('platform.version.in-path', {
    'platform.version.only-v2 The API is served only below /v2.': () => ({ isVersion: (segment) => segment === 'v2' }),
  }),
  ...rows('platform.version.unknown', {
    'platform.version.any Every version number in the path is treated as v1.': () =>
      instead('isVersion', (_, segment) => /^v\d+$/i.test(segment)),
    'platform.version.any-for-list Every version number in the path of the list is treated as v1.': masked(withoutList)(
      argument('splitTarget')((target) => target.replace(/^\/v\d+(?=\/(trading-)?accounts)/, '/v1')),
    ),
    'platform.version.beginning-compared Only the beginning of the version is compared, so v199 is v1.': () =>
      instead('isVersion', (_, segment) => segment.startsWith('v1')),
  }),
]
