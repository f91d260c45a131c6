import { expected, requirements } from '../../clause.ts'

export const platformErrorRequirements = requirements('4.1', {
  'platform.path.unknown': expected(
    'An unknown path returns a client error (4xx).',
    'A client with a wrong path assumes that its request succeeded.',
  ),
  'platform.method.allow': expected(
    'A 405 response has an Allow header that lists the documented method, and not the rejected one (RFC 9110, 15.5.6).',
    'A client cannot find out which methods are allowed.',
  ),
  'platform.errors.json': expected(
    'An error response that declares JSON contains valid JSON, and one with a JSON object declares it.',
    'Clients cannot read why a request was rejected.',
    '7',
  ),
  'platform.json.content-type': expected(
    'GET /v1/account responds with Content-Type application/json.',
    'HTTP libraries return a string instead of an object.',
    '1',
  ),
  'platform.json.no-byte-order-mark': expected(
    'The JSON of the account and of the list does not begin with a byte order mark (RFC 8259, 8.1).',
    'Many JSON parsers reject the response.',
    '1',
  ),
})
