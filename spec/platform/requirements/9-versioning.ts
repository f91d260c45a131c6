import type { Requirement } from '../../requirement.ts'

export const versioningRequirements = [
  {
    id: 'platform.version.in-path',
    clause: '9',
    level: 'required',
    statement: 'The documented operations are served under the path prefix /v1.',
    consequence: 'No client finds the API at its documented address.',
  },
  {
    id: 'platform.version.unknown',
    clause: '9',
    level: 'expected',
    statement: 'A version that does not exist (/v0, /v99) does not respond like /v1.',
    consequence: 'A client for a later version talks to an earlier one without noticing.',
  },
] as const satisfies readonly Requirement[]
