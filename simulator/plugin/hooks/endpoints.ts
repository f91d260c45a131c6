import { apiHooks, type EndpointRow, type UnknownMethodOutcome } from '../../server/api.ts'
import { Dropped, ErrorResponse, fillIn } from '../../server/response.ts'
import type { Profile } from '../profile/profile.ts'
import type { Wording } from '../profile/wording.ts'

export type EndpointName = 'status' | 'rules' | 'rule'
export type OperationName = 'read-status' | 'list-rules' | 'add-rule' | 'remove-rule'

/** The documented paths and methods (clause 4.2). */
const endpoints: readonly EndpointRow<EndpointName, OperationName>[] = [
  { name: 'status', path: '/api/status', operations: { GET: 'read-status' } },
  { name: 'rules', path: '/api/rules', operations: { GET: 'list-rules', POST: 'add-rule' } },
  { name: 'rule', path: '/api/rules/:index', operations: { DELETE: 'remove-rule' }, hasQuery: true },
]

/** How the request line and headers are read, and the other decisions of any JSON API (clause 4.2, RFC 9110). */
export function endpointHooks(profile: Profile, { errorTexts }: Wording) {
  const api = apiHooks({
    endpoints,
    answer: (point) => profile[`plugin.${point}`],
    sizeLimit: profile['plugin.body.size-limit'],
    texts: {
      tooLarge: errorTexts['body-too-large'],
      notSaved: 'Internal server error: the rules could not be saved.',
    },
  })
  const isDecoded = profile['plugin.path.percent-encoding'] === 'decoded'
  // The question allows both: a server that rejects queries with 400 also does so here.
  const queryStatus = profile['plugin.path.query'] === 'refused' ? 400 : 404
  const unknownEndpoint = () => new ErrorResponse(404, errorTexts['unknown-endpoint'])
  return {
    ...api,
    decodeSegment: (segment: string): string | undefined => (isDecoded ? api.decodeSegment(segment) : segment),
    unknownEndpoint,
    judgeQuery: (query: string): ErrorResponse | undefined => {
      const answer = profile['plugin.path.query']
      if (query === '' || answer === 'ignored') return undefined
      return answer === 'unknown' ? unknownEndpoint() : new ErrorResponse(400, errorTexts.query)
    },
    judgeIndexQuery: (query: string): ErrorResponse | undefined =>
      query === '' || profile['plugin.index.query'] === 'ignored'
        ? undefined
        : new ErrorResponse(queryStatus, errorTexts['index-query']),
    methodNotAllowed: (allowed: readonly string[]): ErrorResponse => {
      const allow = allowed.join(', ')
      return new ErrorResponse(405, fillIn(errorTexts['method-not-allowed'], { allow }), { Allow: allow })
    },
    /** A standard method that is not in upper case: `get`. */
    lowerCaseMethod: (method: string): UnknownMethodOutcome =>
      unknownMethodOutcome(profile['plugin.method.lower-case'], method, errorTexts['method-lower-case']),
    /** A method that is not standard: `BREW`. */
    unknownMethod: (method: string): UnknownMethodOutcome =>
      unknownMethodOutcome(profile['plugin.method.unknown'], method, errorTexts['method-unknown']),
  }
}

type UnknownMethodAnswer = Profile['plugin.method.lower-case'] | Profile['plugin.method.unknown']

function unknownMethodOutcome(answer: UnknownMethodAnswer, method: string, text: string): UnknownMethodOutcome {
  if (answer === 'closed') return new Dropped()
  if (answer === 'accepted') return { replaceBy: method.toUpperCase() }
  // No endpoint has PATCH, so the request gets 401, 404 or 405 like any other.
  if (answer === '405') return { replaceBy: 'PATCH' }
  return new ErrorResponse(Number(answer), text)
}
