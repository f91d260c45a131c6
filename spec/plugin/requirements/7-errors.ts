import { expected, required, requirements } from '../../clause.ts'

export const errorRequirements = requirements('7', {
  'plugin.path.unknown': required(
    'An unknown endpoint returns 404 and changes nothing, also below a rule (/api/rules/<index>/x) or with a version prefix (/api/v1/rules).',
    'A client with a wrong path assumes that its request succeeded, or removes a rule.',
  ),
  'plugin.path.root': expected(
    'The path /api, and paths outside of it such as / and /unknown, are unknown endpoints.',
    'A client with an incomplete path assumes that its request succeeded.',
  ),
  'plugin.method.not-allowed': required(
    'Another method on /api/status or /api/rules returns 405 and changes nothing.',
    'A client that mixes up its calls assumes that it changed something, or removes every rule.',
  ),
  'plugin.method.rule': expected(
    'GET, PUT, PATCH and POST on /api/rules/{index} return 405 and change nothing.',
    'A client that tries to edit a rule in place concludes that the rule does not exist.',
  ),
  'plugin.method.allow': expected(
    'A 405 response has an Allow header that lists the documented methods of the path, and not the rejected one.',
    'A client cannot find out which methods are allowed.',
  ),
  'plugin.list.unrequested-change': required(
    'A GET, HEAD or OPTIONS, and any request that has a wrong method or path or returns an error, changes no rule.',
    'A rule is added or removed while the client assumes that nothing changed.',
  ),
  'plugin.errors.every': required(
    'Every error response, whatever caused it, is a JSON object { error: string }.',
    'A client crashes on the one error that has another form.',
  ),
  'plugin.errors.description': expected(
    'The error text of an error response is not empty.',
    'The log does not say what went wrong.',
  ),
  'plugin.errors.no-internals': expected(
    'An error response shows no path of a file of the server and no address in its memory.',
    'An attacker learns where the server keeps its files, and how to use a fault in its memory.',
  ),
  'plugin.json.content-type': expected(
    'All responses with JSON have Content-Type application/json.',
    'HTTP libraries return a string instead of an object.',
    '4.2',
  ),
})
