import { expected, required, requirements, robustness } from '../../clause.ts'

export const authenticationRequirements = requirements('5', {
  'plugin.auth.x-api-key': required(
    'Every operation accepts the key in the X-API-Key header.',
    'Clients that send the documented header are locked out.',
  ),
  'plugin.auth.bearer': required(
    'Every operation accepts the key as a Bearer token in the Authorization header.',
    'Clients that send the documented header are locked out.',
  ),
  'plugin.auth.both-headers': expected(
    'The correct key in both headers at once is accepted.',
    'A gateway that adds the second header locks the client out.',
  ),
  'plugin.auth.header-name-case': expected(
    'The names of both key headers are case-insensitive.',
    'HTTP libraries and proxies that write header names in lower case are locked out.',
  ),
  'plugin.auth.reads-need-key': required(
    'GET /api/status and GET /api/rules with a missing, empty or wrong key return 401 and disclose no rule.',
    'Unauthenticated callers learn who copies whom.',
  ),
  'plugin.auth.changes-need-key': required(
    'POST and DELETE with a missing, empty or wrong key return 401 and change nothing, with a full list as well.',
    "Unauthenticated callers make accounts trade, or stop other people's trades.",
  ),
  'plugin.auth.whole-key': required(
    'A key that is longer, shorter, or differs in one character or in case is rejected with 401.',
    'A key is far easier to guess than its length suggests.',
  ),
  'plugin.auth.only-the-headers': expected(
    'A key in the query string, the body, a cookie or another header, or in Authorization without Bearer, is not accepted.',
    'Keys end up in logs because sending them there works, or a credential for another system opens the trading server.',
  ),
  'plugin.auth.key-from-parameter': required(
    'The key is the value of the API_Key parameter at startup, and earlier keys are rejected.',
    'A key that was changed because it leaked still works, or the new one does not.',
  ),
  'plugin.auth.disabled': required(
    'With an empty API_Key, or without one, no operation succeeds with any key, an empty key or no key.',
    'A server that was meant to be closed is open to everyone.',
  ),
  'plugin.auth.key-not-repeated': robustness(
    'No response contains the key.',
    'The key reaches logs and screens of people who must not have it.',
  ),
})
