import { ErrorResponse } from '../../server/error-response.ts'
import { decodeSegment, type EndingSlash, endingSlash, mergeSlashes, splitTarget } from '../../server/target.ts'
import type { Profile } from '../profile/profile.ts'
import type { Wording } from '../profile/wording.ts'

export type EndpointName = 'status' | 'rules' | 'rule'

/** A known path; `indexText` is the last segment of `/api/rules/{index}`, as it was sent. */
export interface Endpoint {
  readonly name: EndpointName
  readonly indexText: string
}

/** How a request target is parsed (clause 4.2). */
export interface PathHooks {
  readonly splitTarget: (target: string) => { readonly path: string; readonly query: string }
  /** A decoded segment of the path; undefined if it cannot be decoded. */
  readonly decodeSegment: (segment: string) => string | undefined
  readonly sameSegment: (segment: string, known: string) => boolean
  /** Removes the empty segments of repeated slashes, or leaves them. */
  readonly mergeSlashes: (path: string) => string
  /** How a trailing slash is handled: the path to look up, or the path to redirect to. */
  readonly endingSlash: (path: string) => EndingSlash
  readonly unknownEndpoint: () => ErrorResponse
  readonly redirect: (location: string) => ErrorResponse
  readonly judgeQuery: (query: string) => ErrorResponse | undefined
  readonly judgeIndexQuery: (query: string) => ErrorResponse | undefined
}

export function pathHooks(profile: Profile, { errorTexts }: Wording): PathHooks {
  // The question allows both: a server that rejects queries with 400 does so here too.
  const queryStatus = profile['plugin.path.query'] === 'refused' ? 400 : 404
  const unknownEndpoint = () => new ErrorResponse(404, errorTexts['unknown-endpoint'])
  return {
    splitTarget,
    decodeSegment: profile['plugin.path.percent-encoding'] === 'decoded' ? decodeSegment : (segment) => segment,
    sameSegment:
      profile['plugin.path.case'] === 'insensitive'
        ? (segment, known) => segment.toLowerCase() === known
        : (segment, known) => segment === known,
    mergeSlashes: profile['plugin.path.double-slash'] === 'ignored' ? mergeSlashes : (path) => path,
    endingSlash: endingSlash[profile['plugin.path.trailing-slash']],
    unknownEndpoint,
    redirect: (location) =>
      new ErrorResponse(308, `The path has no trailing slash: ${location}`, { Location: location }),
    judgeQuery: {
      ignored: () => undefined,
      unknown: (query: string) => (query === '' ? undefined : unknownEndpoint()),
      refused: (query: string) => (query === '' ? undefined : new ErrorResponse(400, errorTexts.query)),
    }[profile['plugin.path.query']],
    judgeIndexQuery: (query) =>
      query === '' || profile['plugin.index.query'] === 'ignored'
        ? undefined
        : new ErrorResponse(queryStatus, errorTexts['index-query']),
  }
}
