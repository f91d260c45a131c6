import { Refusal } from '../../../server/refusal.ts'
import { decodeSegment, type EndingSlash, endingSlash, mergeSlashes, splitTarget } from '../../../server/target.ts'
import type { PlatformProfile } from '../../profile.ts'

export type EndpointName = 'account' | 'trading-accounts' | 'list' | 'trading-account'

/** A known path; `id` is the last segment of `/v1/trading-accounts/{id}`. */
export interface Endpoint {
  readonly name: EndpointName
  readonly id: string
}

/** Whether a path that lacks the version is answered, or where to. */
export type VersionAnswer = 'unknown' | 'answered' | 'redirected'

/** How a request target is understood (clause 4.1, 9). */
export interface PathSeams {
  readonly splitTarget: (target: string) => { readonly path: string; readonly query: string }
  /** A segment of the path as it is compared; undefined where it cannot be decoded. */
  readonly decodeSegment: (segment: string) => string | undefined
  readonly sameSegment: (segment: string, known: string) => boolean
  readonly mergeSlashes: (path: string) => string
  readonly endingSlash: (path: string) => EndingSlash
  readonly isVersion: (segment: string) => boolean
  readonly withoutVersion: VersionAnswer
  /** The segments behind the version at which the list is; undefined where there is none. */
  readonly listSegments: readonly string[] | undefined
  /** Whether a single trading account has an address. */
  readonly showsSingleAccounts: boolean
  readonly unknownEndpoint: () => Refusal
  readonly redirect: (location: string) => Refusal
  readonly judgeQuery: (query: string) => Refusal | undefined
}

const listSegments: Readonly<Record<PlatformProfile['platform.list.path'], PathSeams['listSegments']>> = {
  'trading-accounts': ['trading-accounts'],
  'trading-accounts-list': ['trading-accounts', 'list'],
  accounts: ['accounts'],
  none: undefined,
}

export function pathSeams(profile: PlatformProfile): PathSeams {
  const sameSegment: PathSeams['sameSegment'] =
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
    unknownEndpoint: () => new Refusal(Number(profile['platform.errors.unknown-path']), 'Unknown endpoint.'),
    redirect: (location) => new Refusal(308, `The path is ${location}`, { Location: location }),
    judgeQuery: (query) =>
      query === '' || profile['platform.path.query'] === 'ignored'
        ? undefined
        : new Refusal(400, 'A query string is not allowed.'),
  }
}
