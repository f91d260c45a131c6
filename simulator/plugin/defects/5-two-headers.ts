import type { Override } from '../hooks/hooks.ts'
import { type Defect, rows } from './defect.ts'
import { authorizes } from './overrides.ts'

type Method = 'GET' | 'POST' | 'DELETE'
type Headers = (apiKey: string | undefined, authorization: string | undefined) => boolean

/** A server that serves requests of these methods without the right key, for some contents of the two headers. */
function opens(methods: readonly Method[], isOpen: Headers): Override {
  return authorizes((_, isRight, { request, headers }) => {
    const isMeant = methods.some((method) => method === request.method)
    return (isMeant && isOpen(headers['x-api-key']?.toString(), headers.authorization)) || isRight()
  })
}

/** Clause 5: pairs of headers of which neither holds the right key. */
export const twoHeaderDefects: readonly Defect[] = [
  ...rows(['plugin.auth.reads-need-key', 'plugin.auth.changes-need-key'], {
    'header.equal-keys-open': [
      'Any key is accepted if both headers hold the same one.',
      opens(
        ['GET', 'POST', 'DELETE'],
        (apiKey, authorization) => apiKey !== undefined && authorization === `Bearer ${apiKey}`,
      ),
    ],
  }),
  ...rows('plugin.auth.changes-need-key', {
    'header.empty-key-hands-over-to-any-bearer': [
      'With an empty X-API-Key, POST and DELETE accept any Bearer token.',
      opens(['POST', 'DELETE'], (apiKey, authorization = '') => apiKey === '' && /^Bearer ./.test(authorization)),
    ],
    'header.any-key-beside-bearer-alone': [
      'DELETE accepts any X-API-Key if Authorization is Bearer without a key.',
      opens(['DELETE'], (apiKey, authorization) => Boolean(apiKey) && authorization === 'Bearer'),
    ],
    'header.any-key-beside-another-scheme': [
      'POST accepts any X-API-Key beside Basic authentication.',
      opens(['POST'], (apiKey, authorization = '') => Boolean(apiKey) && /^Basic /.test(authorization)),
    ],
  }),
  ...rows('plugin.auth.reads-need-key', {
    'header.empty-authorization-opens': [
      'GET requires no key if Authorization is empty.',
      opens(['GET'], (apiKey, authorization) => apiKey === undefined && authorization === ''),
    ],
  }),
]
