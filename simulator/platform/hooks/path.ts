import { ErrorResponse } from '../../server/error-response.ts'
import { decodeSegment, type EndingSlash, endingSlash, mergeSlashes, splitTarget } from '../../server/target.ts'
import type { PlatformProfile } from '../profile/profile.ts'

export type EndpointName = 'account' | 'trading-accounts' | 'list' | 'trading-account'

/** A known path; `id` is the last segment of `/v1/trading-accounts/{id}`. */
export interface Endpoint {
  readonly name: EndpointName
  readonly id: string
}

/** How a path without the version is handled. */
export type VersionAnswer = 'unknown' | 'answered' | 'redirected'

/** How a request target is parsed (clause 4.1, 9). */
export interface PathHooks {
  readonly splitTarget: (target: string) => { readonly path: string; readonly query: string }
  /** A decoded segment of the path; undefined if it cannot be decoded. */
  readonly decodeSegment: (segment: string) => string | undefined
  readonly sameSegment: (segment: string, known: string) => boolean
  readonly mergeSlashes: (path: string) => string
  readonly endingSlash: (path: string) => EndingSlash
  readonly isVersion: (segment: string) => boolean
  readonly withoutVersion: VersionAnswer
  /** The segments of the list's path after the version; undefined if there is no list. */
  readonly listSegments: readonly string[] | undefined
  /** Whether a single trading account has a URL. */
  readonly showsSingleAccounts: boolean
  readonly unknownEndpoint: () => ErrorResponse
  readonly redirect: (location: string) => ErrorResponse
  readonly judgeQuery: (query: string) => ErrorResponse | undefined
}

const listSegments: Readonly<Record<PlatformProfile['platform.list.path'], PathHooks['listSegments']>> = {
  'trading-accounts': ['trading-accounts'],
  'trading-accounts-list': ['trading-accounts', 'list'],
  accounts: ['accounts'],
  none: undefined,
}

export function pathHooks(profile: PlatformProfile): PathHooks {
  const sameSegment: PathHooks['sameSegment'] =
    profile['platform.path.case'] === 'insensitive'
      ? (segment, known) => segment.toLowerCase() === known
      : (segment, known) => segment === known
  return {
    splitTarget,
    decodeSegment,
    sameSegment,
    mergeSlashes: profile['platform.path.double-slash'] === 'ignored' ? mergeSlashes : (path) => path,
    endingSlash: endingSlash[profile['platform.path.trailing-slash']],
    isVersion: (segment) => sameSegment(segment, 'v1'),
    withoutVersion: profile['platform.path.without-version'],
    listSegments: listSegments[profile['platform.list.path']],
    showsSingleAccounts: profile['platform.create.location'] === 'sent',
    unknownEndpoint: () => new ErrorResponse(Number(profile['platform.errors.unknown-path']), 'Unknown endpoint.'),
    redirect: (location) => new ErrorResponse(308, `The path is ${location}`, { Location: location }),
    judgeQuery: (query) =>
      query === '' || profile['platform.path.query'] === 'ignored'
        ? undefined
        : new ErrorResponse(400, 'A query string is not allowed.'),
  }
}
