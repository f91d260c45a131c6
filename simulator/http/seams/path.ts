import type { Profile } from '../../profile/profile.ts'
import { Refusal } from '../../server/refusal.ts'
import { decodeSegment, type EndingSlash, endingSlash, mergeSlashes, splitTarget } from '../../server/target.ts'

export type EndpointName = 'status' | 'rules' | 'rule'

/** A known path; `indexText` is the last segment of `/api/rules/{index}`, as it was sent. */
export interface Endpoint {
  readonly name: EndpointName
  readonly indexText: string
}

/** How a request target is understood (clause 4.2). */
export interface PathSeams {
  readonly splitTarget: (target: string) => { readonly path: string; readonly query: string }
  /** A segment of the path as it is compared; undefined where it cannot be decoded. */
  readonly decodeSegment: (segment: string) => string | undefined
  readonly sameSegment: (segment: string, known: string) => boolean
  /** Takes away the empty segments that a doubled slash makes, or leaves them. */
  readonly mergeSlashes: (path: string) => string
  /** What becomes of a slash at the end: the path to look up, or the path to redirect to. */
  readonly endingSlash: (path: string) => EndingSlash
  readonly unknownEndpoint: () => Refusal
  readonly redirect: (location: string) => Refusal
  readonly judgeQuery: (query: string) => Refusal | undefined
  readonly judgeIndexQuery: (query: string) => Refusal | undefined
}

export function pathSeams(profile: Profile): PathSeams {
  const unknownEndpoint = () => new Refusal(404, 'Unknown endpoint.')
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
    redirect: (location) => new Refusal(308, `The path has no slash at the end: ${location}`, { Location: location }),
    judgeQuery: {
      ignored: () => undefined,
      unknown: (query: string) => (query === '' ? undefined : unknownEndpoint()),
      refused: (query: string) => (query === '' ? undefined : new Refusal(400, 'A query string is not allowed.')),
    }[profile['plugin.path.query']],
    judgeIndexQuery: (query) =>
      query === '' || profile['plugin.index.query'] === 'ignored'
        ? undefined
        : new Refusal(404, 'Invalid rule index: a query string is not allowed.'),
  }
}
