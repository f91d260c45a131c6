import type { Requirement } from '../../requirement.ts'

export const platformErrorRequirements = [
  {
    id: 'platform.path.unknown',
    clause: '4.1',
    level: 'expected',
    statement: 'A path that the API does not have is answered as the fault of the client (4xx).',
    consequence: 'A client with a wrong path believes that it succeeded.',
  },
  {
    id: 'platform.method.allow',
    clause: '4.1',
    level: 'expected',
    statement: 'A 405 carries an Allow header (RFC 9110, 15.5.6).',
    consequence: 'A client cannot learn what it may do instead.',
  },
  {
    id: 'platform.errors.valid-json',
    clause: '1',
    level: 'expected',
    statement: 'An error that says it is JSON is valid JSON.',
    consequence: 'A client crashes while it reads why it was refused.',
  },
  {
    id: 'platform.errors.labelled',
    clause: '1',
    level: 'expected',
    statement: 'An error whose body is a JSON object says so in its Content-Type.',
    consequence: 'HTTP libraries hand the client a text instead of an object.',
  },
  {
    id: 'platform.json.content-type',
    clause: '1',
    level: 'expected',
    statement: 'The account is sent with the Content-Type application/json.',
    consequence: 'HTTP libraries hand the client a text instead of an object.',
  },
] as const satisfies readonly Requirement[]
