import { expected, required, requirements } from '../../clause.ts'

export const platformErrorRequirements = [
  ...requirements('4.1', {
    'platform.path.unknown': expected(
      'An unknown path returns a client error (4xx).',
      'A client with a wrong path assumes that its request succeeded.',
    ),
    'platform.method.allow': expected(
      'A 405 response has an Allow header (RFC 9110, 15.5.6).',
      'A client cannot find out which methods are allowed.',
    ),
  }),
  ...requirements('7', {
    'platform.errors.json': expected(
      'An error response that declares JSON contains valid JSON, and one with a JSON object declares it.',
      'Clients cannot read why a request was rejected.',
    ),
  }),
  ...requirements('1', {
    'platform.json.content-type': expected(
      'GET /v1/account responds with Content-Type application/json.',
      'HTTP libraries return a string instead of an object.',
    ),
    'platform.json.no-byte-order-mark': expected(
      'The JSON of the account does not begin with a byte order mark (RFC 8259, 8.1).',
      'Many JSON parsers reject the response.',
    ),
  }),
  ...requirements('9', {
    'platform.version.in-path': required(
      'The documented operations are served under the path prefix /v1.',
      'No client finds the API at its documented address.',
    ),
    'platform.version.unknown': expected(
      'A version that does not exist (/v0, /v99) does not respond like /v1.',
      'A client for a later version talks to an earlier one without noticing.',
    ),
  }),
]
