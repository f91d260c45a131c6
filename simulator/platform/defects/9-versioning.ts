import type { PlatformDefect } from './defect.ts'

/** Clause 9: the version in the path. */
export const versionDefects: readonly PlatformDefect[] = [
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
