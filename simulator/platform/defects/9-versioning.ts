import type { PlatformDefect } from './defect.ts'

/** Clause 9: the version in the path. */
export const versionDefects: readonly PlatformDefect[] = [
  {
    id: 'platform.version.second-only',
    breaks: ['platform.version.in-path'],
    summary: 'The API is served below /v2 only.',
    override: () => ({ isVersion: (segment) => segment === 'v2' }),
  },
  {
    id: 'platform.version.any',
    breaks: ['platform.version.unknown'],
    summary: 'Whatever number stands behind v, it is version 1 that answers.',
    override: () => ({ isVersion: (segment) => /^v\d+$/i.test(segment) }),
  },
]
