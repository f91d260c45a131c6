import type { Requirement } from '../../requirement.ts'

export const platformErrorRequirements = [
  {
    id: 'platform.path.unknown',
    clause: '4.1',
    level: 'expected',
    statement: 'An unknown path returns a client error (4xx).',
    consequence: 'A client with a wrong path assumes that its request succeeded.',
  },
  {
    id: 'platform.method.allow',
    clause: '4.1',
    level: 'expected',
    statement: 'A 405 response has an Allow header (RFC 9110, 15.5.6).',
    consequence: 'A client cannot find out which methods are allowed.',
  },
  {
    id: 'platform.errors.json',
    clause: '7',
    level: 'expected',
    statement: 'An error response that declares JSON contains valid JSON, and one with a JSON object declares it.',
    consequence: 'Clients cannot read why a request was rejected.',
  },
  {
    id: 'platform.json.content-type',
    clause: '1',
    level: 'expected',
    statement: 'GET /v1/account responds with Content-Type application/json.',
    consequence: 'HTTP libraries return a string instead of an object.',
  },
  {
    id: 'platform.json.no-byte-order-mark',
    clause: '1',
    level: 'expected',
    statement: 'The JSON of the account does not begin with a byte order mark (RFC 8259, 8.1).',
    consequence: 'Many JSON parsers reject the response.',
  },
] as const satisfies readonly Requirement[]
