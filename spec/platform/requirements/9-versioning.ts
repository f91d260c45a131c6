import { expected, required, requirements } from '../../clause.ts'

export const versioningRequirements = requirements('9', {
  'platform.version.in-path': required(
    'The documented operations are served under the path prefix /v1.',
    'No client finds the API at its documented address.',
  ),
  'platform.version.unknown': expected(
    'A version that does not exist (/v99, /v199) does not respond like /v1.',
    'A client for a later version talks to an earlier one without noticing.',
  ),
})
