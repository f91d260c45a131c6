import type { Requirement } from '../../requirement.ts'

export const errorRequirements = [
  {
    id: 'plugin.path.unknown',
    clause: '7',
    level: 'required',
    statement:
      'An unknown endpoint returns 404 and changes nothing, also below a rule (/api/rules/<index>/x) or with a version prefix (/api/v1/rules).',
    consequence: 'A client with a wrong path assumes that its request succeeded, or removes a rule.',
  },
  {
    id: 'plugin.path.root',
    clause: '7',
    level: 'expected',
    statement: 'The paths / and /api are unknown endpoints.',
    consequence: 'A client with an incomplete path assumes that its request succeeded.',
  },
  {
    id: 'plugin.method.not-allowed',
    clause: '7',
    level: 'required',
    statement: 'Another method on /api/status or /api/rules returns 405 and changes nothing.',
    consequence: 'A client that mixes up its calls assumes that it changed something, or removes every rule.',
  },
  {
    id: 'plugin.method.rule',
    clause: '7',
    level: 'expected',
    statement: 'GET, PUT, PATCH and POST on /api/rules/{index} return 405 and change nothing.',
    consequence: 'A client that tries to edit a rule in place concludes that the rule does not exist.',
  },
  {
    id: 'plugin.method.allow',
    clause: '7',
    level: 'expected',
    statement: 'A 405 response has an Allow header that lists the documented methods of the path.',
    consequence: 'A client cannot find out which methods are allowed.',
  },
  {
    id: 'plugin.list.unrequested-change',
    clause: '7',
    level: 'required',
    statement:
      'A GET, HEAD or OPTIONS, and any request that has a wrong method or path or returns an error, changes no rule.',
    consequence: 'A rule is added or removed while the client assumes that nothing changed.',
  },
  {
    id: 'plugin.errors.every',
    clause: '7',
    level: 'required',
    statement: 'Every error response, whatever caused it, is a JSON object { error: string }.',
    consequence: 'A client crashes on the one error that has another form.',
  },
  {
    id: 'plugin.errors.description',
    clause: '7',
    level: 'expected',
    statement: 'The error text of an error response is not empty.',
    consequence: 'The log does not say what went wrong.',
  },
  {
    id: 'plugin.errors.no-internals',
    clause: '7',
    level: 'expected',
    statement: 'An error response shows no path of a file of the server and no address in its memory.',
    consequence: 'An attacker learns where the server keeps its files, and how to use a fault in its memory.',
  },
  {
    id: 'plugin.json.content-type',
    clause: '4.2',
    level: 'expected',
    statement: 'All responses with JSON have Content-Type application/json.',
    consequence: 'HTTP libraries return a string instead of an object.',
  },
] as const satisfies readonly Requirement[]
